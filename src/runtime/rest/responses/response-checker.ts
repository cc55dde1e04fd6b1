/** Checks the status, headers and body of a response against the contract, before it is sent or after it is received. */

import { type ItemText, requireCodecs } from '../../contract/body-codecs.js';
import type {
  Check,
  ResponseChecks,
  ResponseContract,
  Sequence,
  ResponseBody,
} from '../../contract/contract.js';
import { essenceOf, findByMediaType } from '../../http/media-type.js';
import { Problem } from '../../http/problem.js';
import { parseNearestJson } from '../decode/exact.js';
import { Mismatch, failuresIn } from '../decode/mismatch.js';
import { type ResponseProblem, unfit } from './response-problem.js';

/** The entries of a contract by key, as a Map has them. */
type Declared<Entry> = Pick<ReadonlyMap<string, Entry>, 'get'>;

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
interface ExpectedResponse {
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

interface ExpectedBody {
  readonly declared: ResponseBody;
  /** Checks one item if the media type is sequential. */
  readonly check: Check | undefined;
}

/**
 * @param checks - without them, values are not checked
 *
 * @throws when there is no check of a name in the contract
 */
export function expectedResponse(
  { headers = {}, content = {} }: ResponseContract,
  checks: ResponseChecks | undefined,
): ExpectedResponse {
  const named = (name: string | undefined): Check | undefined => {
    if (name === undefined || checks === undefined) return undefined;
    if (checks[name] === undefined) throw new Error(`there is no response check ${name}`);
    return checks[name];
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

/** A response to check. */
export interface GivenResponse {
  readonly status: number;
  /** Whether all failures of a value are reported; only the first if absent. */
  readonly hasAllFailures?: boolean;
  /** By name in lower case. A header that is undefined is not sent. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Whether headers are texts, which fit in one reading: as text, as a number or boolean, or as a list. */
  readonly hasTextHeaders?: boolean;
  /** The headers that it may have in addition to the declared ones, in lower case; any if absent. */
  readonly otherHeaders?: ReadonlySet<string>;
  /** Whether `Vary` must name `Accept` if the contract has several media types (RFC 9110 §12.5.5). */
  readonly needsVary?: boolean;
  /** Undefined for a response without a body. */
  readonly contentType: string | undefined;
  readonly body: GivenBody | undefined;
}

/** The value of a body, its text, or `unread` for the answer to HEAD and for a stream that is checked elsewhere. */
export type GivenBody =
  | { readonly value: unknown }
  /** `isCut` if the beginning is known: an incomplete last item of a stream is ignored, and other bodies are not checked. */
  | { readonly text: string; readonly isCut?: boolean }
  | 'unread';

/** Checks the responses of one operation. */
export class ResponseChecker {
  readonly #contracts: ReadonlyMap<string, ResponseContract>;
  readonly #byStatus = new Map<number, ExpectedResponse>();

  /**
   * @param responses - by status (`200`), range (`4XX`) or `default`
   * @param codecs - the `bodyCodecs` of the contract; streams of items need them
   */
  constructor(
    responses: Readonly<Record<string, ResponseContract>>,
    private readonly checks: ResponseChecks,
    private readonly codecs?: object,
  ) {
    this.#contracts = new Map(Object.entries(responses));
  }

  /** The declared response for a status; undefined when there is none. @throws when a check that the contract names was not generated */
  find(status: number): ExpectedResponse | undefined {
    const known = this.#byStatus.get(status);
    if (known !== undefined) return known;
    const contract = findByStatus(this.#contracts, status);
    if (contract === undefined) return undefined;
    const expected = expectedResponse(contract, this.checks);
    this.#byStatus.set(status, expected);
    return expected;
  }

  /** The problems of a response: those of its status, of its headers in the contract's order, and then of its body. */
  problemsOf(given: GivenResponse): readonly ResponseProblem[] {
    const { status } = given;
    const expected = this.find(status);
    if (expected === undefined) return [{ kind: 'undeclared-status', place: '/status', status }];
    return [
      ...undeclaredHeaders(expected, given),
      ...headerProblems(expected, given),
      ...bodyProblems(expected, given, this.codecs),
    ];
  }
}

function undeclaredHeaders(
  expected: ExpectedResponse,
  { headers, otherHeaders }: GivenResponse,
): readonly ResponseProblem[] {
  if (otherHeaders === undefined) return [];
  const known = new Set([...otherHeaders, ...expected.headers.map(({ lowerCaseName }) => lowerCaseName)]);
  return Object.keys(headers)
    .filter((name) => headers[name] !== undefined && !known.has(name))
    .map((name) => ({ kind: 'undeclared-header', place: `/headers/${name}`, name }));
}

export function headerProblems(
  expected: ExpectedResponse,
  {
    headers,
    hasTextHeaders = false,
    hasAllFailures,
  }: Pick<GivenResponse, 'headers' | 'hasTextHeaders' | 'hasAllFailures'>,
): readonly ResponseProblem[] {
  const found: ResponseProblem[] = [];
  for (const { name, lowerCaseName, isRequired, check } of expected.headers) {
    // The prototype of the headers may have a property of this name.
    const value = Object.hasOwn(headers, lowerCaseName) ? headers[lowerCaseName] : undefined;
    const place = `/headers/${name}`;
    if (value === undefined && isRequired) found.push({ kind: 'missing-header', place, name });
    if (value === undefined || check === undefined) continue;
    // A header that is sent several times is a list of texts.
    const values = hasTextHeaders ? [value].flat() : [value];
    for (const each of values)
      found.push(...valueProblems(check, each, place, hasTextHeaders, hasAllFailures));
  }
  return found;
}

function valueProblems(
  check: Check,
  value: unknown,
  place: string,
  isText: boolean,
  hasAll: boolean | undefined,
): readonly ResponseProblem[] {
  if (!isText) return fitProblems(check, value, place, hasAll);
  const text = String(value);
  const scalar = /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) ? [parseNearestJson(text)] : [];
  if ([text, ...scalar, text.split(/\s*,\s*/)].some((reading) => check(reading))) return [];
  return fitProblems(check, scalar[0] ?? text, place, hasAll);
}

function bodyProblems(
  expected: ExpectedResponse,
  given: GivenResponse,
  codecs: object | undefined,
): readonly ResponseProblem[] {
  const { contentType, body } = given;
  const isEmpty = body === undefined || (typeof body === 'object' && 'text' in body && body.text === '');
  if (expected.bodies.size === 0) {
    return [
      ...(isEmpty || body === 'unread' ? [] : [{ kind: 'unexpected-body', place: '/body' } as const]),
      // A received response without content may describe the content that there would be (RFC 9110 §8.3, §15.3.5).
      ...(contentType === undefined || (typeof body === 'object' && isEmpty)
        ? []
        : [{ kind: 'unexpected-media-type', place: '/headers/content-type', contentType } as const]),
    ];
  }
  if (contentType === undefined && isEmpty) return [{ kind: 'missing-body', place: '/body' }];
  const mediaType = essenceOf(contentType ?? '');
  const declared = findByMediaType(expected.bodies, mediaType);
  if (declared === undefined)
    return [{ kind: 'undeclared-media-type', place: '/headers/content-type', mediaType }];
  const vary = String(given.headers['vary']);
  const isUnvaried = given.needsVary === true && expected.bodies.size > 1 && !NAMES_ACCEPT.test(vary);
  return [
    ...(isUnvaried ? [{ kind: 'missing-vary', place: '/headers/vary' } as const] : []),
    ...contentProblems(declared, mediaType, given, codecs),
  ];
}

function contentProblems(
  { check, declared: codec }: ExpectedBody,
  mediaType: string,
  { contentType, body, hasAllFailures: hasAll = false }: GivenResponse,
  codecs: object | undefined,
): readonly ResponseProblem[] {
  if (body === undefined || body === 'unread') return [];
  if ('value' in body) return check === undefined ? [] : fitProblems(check, body.value, '/body', hasAll);
  const { text, isCut = false } = body;
  if (codec.kind === 'items') {
    const given = { text, contentType: contentType ?? '', isCut };
    return itemProblems(codec.items, check, given, hasAll ? Infinity : 1, codecs);
  }
  if (isCut) return [];
  const isJson = /[/+]json$/.test(mediaType);
  // Another body is written by an encoder of the service, and the check is that of the value before.
  if (!isJson && codec.kind !== 'text') return [];
  try {
    const value: unknown = isJson ? parseNearestJson(text) : text;
    return check === undefined ? [] : fitProblems(check, value, '/body', hasAll);
  } catch (error) {
    return [
      { kind: 'malformed-body', place: '/body', reason: `the body is not ${mediaType}: ${String(error)}` },
    ];
  }
}

/** The problems of the items that do not fit. @param most - their maximum number */
function itemProblems(
  sequence: Sequence,
  check: Check = () => true,
  given: ItemText,
  most: number,
  codecs: object | undefined,
): readonly ResponseProblem[] {
  const { splitItems } = requireCodecs(codecs);
  const found: ResponseProblem[] = [];
  try {
    for (const [index, item] of splitItems(sequence, check, given)) {
      const place = `/body/${String(index)}`;
      const failures = item instanceof Mismatch ? [item.at(place)] : failuresIn(check, item, place);
      found.push(...failures.map(unfit));
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [...found, { kind: 'malformed-body', place: '/body', reason: error.message }];
  }
}

const NAMES_ACCEPT = /(?:^|[\s,])(?:accept|\*)(?:$|[\s,])/i;

/** The first failure of a value that its check refuses, or all. */
function fitProblems(
  check: Check,
  value: unknown,
  place: string,
  hasAll = false,
): readonly ResponseProblem[] {
  const failures = failuresIn(check, value, place);
  return (hasAll ? failures : failures.slice(0, 1)).map(unfit);
}
