/** The requests of one operation: valid ones, those at the edges of its schemas, and broken ones. */

import type { Json } from '@concordat/runtime';
import type { ContractModel, OperationModel, ParameterModel } from 'concordat/contract';
import { type Variant, replaced, variantsOf } from '../../values/value-variants.js';
import { plainParts } from '../../running/plain-parts.js';
import {
  type CredentialText,
  type GivenParameter,
  type RequestParts,
  type WireRequest,
  wireRequest,
} from '../../running/wire-request.js';
import type { Entity } from '../../running/resources.js';
import { partsOf } from '../../values/document-parts.js';
import { smallerValues } from '../run/known-values.js';

/** One request before it is sent. */
export interface RequestCase {
  /** `query limit: one beyond maximum`. */
  readonly about: string;
  readonly parts: RequestParts;
  /** The parameter under test, which keeps its value. */
  readonly parameter?: ParameterModel;
  /** The place in the body under test, which keeps its value. */
  readonly bodyPath?: Variant['path'];
  /** Whether the body is sent unchanged. */
  readonly isExact?: true;
  /** Changes the written request, usually to break it. */
  readonly tamper?: (request: WireRequest) => WireRequest;
  /** The kind of credentials; valid ones if absent. */
  readonly credentials?: 'wrong' | 'none';
}

/** The plainest and the fullest request. */
export function* plainCases(operation: OperationModel): Generator<RequestCase> {
  for (const full of [false, true]) {
    const parts = plainParts(operation, full);
    if (parts !== undefined) yield { about: full ? 'with everything' : 'with the required parts', parts };
  }
}

/**
 * All other requests. Each is made when it is sent: an operation may have thousands, and few are sent.
 *
 * @param otherMethods - methods that the path does not declare
 */
export function* edgeCases(operation: OperationModel, otherMethods: readonly string[]): Generator<EdgeCase> {
  const parts = plainParts(operation, false);
  if (parts === undefined) return;
  const full = plainParts(operation, true) ?? parts;
  for (const parameter of operation.parameters) yield* parameterCases(parts, parameter);
  yield* bodyVariants(full);
  yield* made(brokenBodies(full));
  yield* made(otherCases(parts, otherMethods));
}

/** A request that is made when it is sent. */
interface EdgeCase {
  readonly make: () => RequestCase;
  /** Whether it is about a restriction of the contract, so that it is sent before the others. */
  readonly isRestriction: boolean;
}

function* made(cases: Iterable<RequestCase>): Generator<EdgeCase> {
  for (const each of cases) yield { make: () => each, isRestriction: true };
}

/** Whether a value tests a keyword itself, and is not one of those that servers often treat wrongly. */
const isRestriction = ({ keyword }: Variant): boolean =>
  keyword !== undefined && keyword !== 'type' && keyword !== 'properties';

function* otherCases(parts: RequestParts, otherMethods: readonly string[]): Generator<RequestCase> {
  const { operation } = parts;
  if (operation.security.length > 0 && operation.security.every((each) => Object.keys(each).length > 0)) {
    yield { about: 'without credentials', parts: { ...parts, credentials: {} }, credentials: 'none' };
    yield { about: 'with a wrong credential', parts, credentials: 'wrong' };
  }
  for (const method of otherMethods) {
    const bare = { operation, parameters: parts.parameters, credentials: parts.credentials };
    yield { about: `the undeclared method ${method}`, parts: bare, tamper: (sent) => ({ ...sent, method }) };
  }
  for (const accept of acceptable(operation))
    yield { about: `accepting ${accept}`, parts: { ...parts, accept } };
}

function acceptable({ responses }: OperationModel): ReadonlySet<string> {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  return new Set(successes.flatMap(({ content }) => content.map(({ mediaType }) => mediaType)));
}

function* parameterCases(parts: RequestParts, parameter: ParameterModel): Generator<EdgeCase> {
  const others = parts.parameters.filter((given) => given.parameter !== parameter);
  const name = `${parameter.in} ${parameter.name}`;
  for (const variant of variantsOf(partsOf(parameter), name)) {
    const { about, value } = variant;
    // An empty segment would make it another path.
    if (parameter.in === 'path' && (value === '' || (Array.isArray(value) && value.length === 0))) continue;
    const parameters = [...others, { parameter, value }];
    const make = (): RequestCase => ({ about, parts: { ...parts, parameters }, parameter });
    yield { make, isRestriction: isRestriction(variant) };
  }
  if (parameter.required && parameter.in !== 'path')
    yield* made([{ about: `${name}: missing`, parts: { ...parts, parameters: others }, parameter }]);
}

function* bodyVariants(parts: RequestParts): Generator<EdgeCase> {
  for (const media of parts.operation.requestBody?.content ?? []) {
    if (media.kind === 'other') continue;
    for (const variant of variantsOf(partsOf(media), 'body')) {
      const make = (): RequestCase => {
        const { about, value, path } = variant;
        return { about, parts: { ...parts, body: { media, value } }, bodyPath: path };
      };
      yield { make, isRestriction: isRestriction(variant) };
      if (variant.keyword === 'format') yield* neighbours(variant, make);
    }
  }
}

/** For an integer beyond 2^53 also the odd one beside it, which no number holds. */
function* neighbours({ value, path }: Variant, make: () => RequestCase): Generator<EdgeCase> {
  const tested = path.reduce<Json | undefined>((whole, key) => (whole as Entity | undefined)?.[key], value);
  if (typeof tested !== 'number' || !Number.isInteger(tested) || Number.isSafeInteger(tested)) return;
  const odd = (BigInt(tested) - BigInt(Math.sign(tested))) as unknown as Json;
  const neighbour = (): RequestCase => {
    const { about, parts, ...rest } = make();
    return { ...rest, about: `${about}, an odd number`, parts: withBody(parts, replaced(value, path, odd)) };
  };
  yield { make: neighbour, isRestriction: true };
}

function* brokenBodies(parts: RequestParts): Generator<RequestCase> {
  const { operation, parameters, credentials } = parts;
  const bare = { operation, parameters, credentials };
  if (operation.requestBody?.required === true) yield { about: 'body: missing', parts: bare };
  if (parts.body === undefined) return;
  yield {
    about: 'body: an undeclared media type',
    parts,
    tamper: (sent) => ({ ...sent, headers: { ...sent.headers, 'content-type': 'application/x-undeclared' } }),
  };
  if (parts.body.media.kind !== 'json') return;
  const malformed = (about: string, change: (body: string) => string): RequestCase => {
    return { about, parts, tamper: ({ body = '', ...sent }) => ({ ...sent, body: change(body) }) };
  };
  yield malformed('body: JSON that ends early', (body) => body.slice(0, -1));
  yield malformed('body: not JSON', () => '{"');
  yield malformed('body: an empty JSON text', () => '');
}

/** The same request with another body. */
export const withBody = (parts: RequestParts, value: Json): RequestParts =>
  parts.body === undefined ? parts : { ...parts, body: { ...parts.body, value } };

export function* smallerCases(whole: RequestCase): Generator<RequestCase> {
  const { parts } = whole;
  const { operation, parameters, credentials } = parts;
  const bodiless = { operation, parameters, credentials };
  if (parts.body !== undefined && whole.bodyPath === undefined) yield { ...whole, parts: bodiless };
  const without = (given: GivenParameter) => parts.parameters.filter((each) => each !== given);
  for (const given of parts.parameters)
    if (given.parameter.in !== 'path') yield { ...whole, parts: { ...parts, parameters: without(given) } };
  for (const given of parts.parameters) {
    if (given.parameter !== whole.parameter) continue;
    for (const value of smallerValues(given.value))
      yield { ...whole, parts: { ...parts, parameters: [...without(given), { ...given, value }] } };
  }
  if (parts.body === undefined) return;
  for (const value of smallerValues(parts.body.value)) yield { ...whole, parts: withBody(parts, value) };
}

/** RFC 9110 §5.5: no control characters, and no white space at the ends. */
const FIELD_VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;

/** A server may refuse a longer request line (RFC 9112 §3) with 414, and longer headers with 431. */
const LONGEST_HEAD = 8000;

/** The HTTP request of a case; undefined if HTTP cannot carry its values, or not in every server. */
export function writtenOf(
  { parts, tamper }: RequestCase,
  { securitySchemes }: ContractModel,
  credential?: CredentialText,
): WireRequest | undefined {
  const request = wireRequest(parts, securitySchemes, credential);
  if (request === undefined) return undefined;
  if (!Object.values(request.headers).every((value) => FIELD_VALUE.test(value))) return undefined;
  if (!/^[\x21-\x7e]*$/.test(request.path)) return undefined;
  const { path, query, headers } = request;
  if ([path, query, ...Object.entries(headers).flat()].join('').length > LONGEST_HEAD) return undefined;
  return tamper === undefined ? request : tamper(request);
}
