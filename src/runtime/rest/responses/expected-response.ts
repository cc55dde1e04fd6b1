/** Finds the response that a contract declares for a status, and prepares its checks. */

import type { Check, ResponseBody, ResponseChecks, ResponseContract } from '../../contract/contract.js';

/** The entries of a contract by key, as a Map has them. */
export type Declared<Entry> = Pick<ReadonlyMap<string, Entry>, 'get'>;

/** Final status codes (RFC 9110 §15). No range matches other numbers, nor does `default`. */
const FINAL = /^[2-5]\d\d$/;

/**
 * The entry for a status: its own, or else that of its range, or else `default` (OpenAPI, Responses Object).
 *
 * @param status - a number, or a key of another contract, such as `4XX`
 */
export function findByStatus<Entry>(declared: Declared<Entry>, status: number | string): Entry | undefined {
  const key = String(status);
  if (typeof status === 'number' && !FINAL.test(key)) return undefined;
  return declared.get(key) ?? declared.get(`${key.charAt(0)}XX`) ?? declared.get('default');
}

/** A response of the contract with its checks. */
export interface ExpectedResponse {
  readonly headers: readonly ExpectedHeader[];
  /** By media type or range; empty for a response without a body. */
  readonly bodies: ReadonlyMap<string, ExpectedBody>;
}

interface ExpectedHeader {
  /** As the contract spells it. */
  readonly name: string;
  readonly lowerCaseName: string;
  readonly isRequired: boolean;
  readonly check: Check | undefined;
}

export interface ExpectedBody {
  readonly declared: ResponseBody;
  /** Checks one item if the media type is sequential. */
  readonly check: Check | undefined;
}

/** @throws when there is no check of a name in the contract */
export function expectedResponse(
  { headers = {}, content = {} }: ResponseContract,
  checks: ResponseChecks,
): ExpectedResponse {
  const named = (name: string | undefined): Check | undefined => {
    if (name !== undefined && checks[name] === undefined)
      throw new Error(`there is no response check ${name}`);
    return name === undefined ? undefined : checks[name];
  };
  return {
    headers: Object.entries(headers).map(([name, { required, check }]) => ({
      name,
      lowerCaseName: name.toLowerCase(),
      isRequired: required === true,
      check: named(check),
    })),
    bodies: new Map(
      Object.entries(content).map(([mediaType, body]) => [
        mediaType,
        { declared: body, check: named(body.check) },
      ]),
    ),
  };
}
