/** Makes a valid request for each operation of a contract, for tests of a server. */

import type { LoadOptions, OperationModel } from 'concordat/contract';
import { plainParts } from '../running/plain-parts.js';
import { runContract } from '../running/running-contract.js';
import { type WireRequest, wireRequest } from '../running/wire-request.js';

/** The options of sample requests. */
export interface SampleOptions extends LoadOptions {
  /** What is sent, by security scheme; `user:password` for the scheme basic, which is its default. Default of others: `sample`. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/**
 * Makes a request for each operation, with all its parameters and a body where these can be made, else with those that it requires.
 * Each request has passed the checks of the contract.
 *
 * @param document - the path of the contract, YAML or JSON
 * @returns the requests by operationId, without the operations for which no valid request could be made
 * @throws ContractError with every fault of the document
 *
 * @example
 * ```ts
 * const { createUser } = await sampleRequests('openapi.yaml', { credentials: { bearer: token } });
 * const { status } = await engine(memoryRequest(createUser));
 * ```
 */
export async function sampleRequests(
  document: string,
  { credentials = {}, ...load }: SampleOptions = {},
): Promise<Readonly<Record<string, WireRequest | undefined>>> {
  const { model, expectedOutcomeOf } = await runContract(document, load);
  const { securitySchemes } = model;
  const textOf = (name: string): string => {
    const { scheme = '' } = (securitySchemes[name] ?? {}) as { readonly scheme?: string };
    const isBasic = scheme.toLowerCase() === 'basic';
    const text =
      (Object.hasOwn(credentials, name) ? credentials[name] : undefined) ??
      (isBasic ? 'user:password' : 'sample');
    return isBasic ? Buffer.from(text).toString('base64') : text;
  };
  const samples = model.operations.map(async (operation) => {
    for (const full of [true, false]) {
      const parts = plainParts(operation, full);
      if (parts === undefined) continue;
      const authorized = { ...parts, credentials: securityOf(operation) };
      const checked = wireRequest(authorized, securitySchemes);
      const expected = checked && (await expectedOutcomeOf(checked));
      if (expected === undefined || 'refusal' in expected || expected.operation !== operation.id) continue;
      return [operation.id, wireRequest(authorized, securitySchemes, textOf)] as const;
    }
    return [operation.id, undefined] as const;
  });
  return Object.fromEntries(await Promise.all(samples));
}

/** The first alternative that needs a credential: with it, an operation may show more. */
function securityOf({ security }: OperationModel): OperationModel['security'][number] {
  return security.find((each) => Object.keys(each).length > 0) ?? {};
}
