/** The steps that turn a request's text and bytes into checked values, as the handler gets them. */

import type { HttpRequest } from '../../http/message.js';
import type { Exchange } from './exchange.js';
import { converted, DecodeError, missing } from '../decode/mismatch.js';
import { essenceOf, findByMediaType } from '../../http/media-type.js';
import { Problem, type ProblemFailure, tooLarge } from '../../http/problem.js';
import { bounded } from '../../http/read-body.js';
import type { CompiledRequestBody } from '../operation/request-body.js';
import { withoutBigints } from '../decode/exact.js';
import type { DecodedRequest } from '../operation/handler.js';
import type { Check } from '../../contract/contract.js';
import { tellFailures, type ToldFailure } from '../../failures/check.js';

/**
 * Decodes parameters, then the body. What cannot be decoded is left to `validate`, which tells it together with all that
 * does not fit its schema.
 *
 * @param bodyLimit - the maximum size in bytes of a body whose operation gives none, and of an item of a streamed one
 * @throws a 400, 413 or 415 `Problem` when a body cannot be read and the parameters can
 */
export function decode<Caller>(exchange: Exchange<Caller>, bodyLimit: number): Promise<void> | undefined {
  const { request, operation } = exchange;
  try {
    exchange.decoded = operation.readParameters({
      values: exchange.match.values,
      query: request.query,
      headers: request.headers,
    });
  } catch (error) {
    note(exchange, error);
    exchange.decoded = (error as DecodeError).decoded as typeof exchange.decoded;
    return operation.requestBody && decodeAnyway(exchange, operation.requestBody, bodyLimit);
  }
  return operation.requestBody && decodeBody(exchange, operation.requestBody, bodyLimit);
}

/** For a request that will be refused: a body that cannot be read changes nothing about that. */
async function decodeAnyway<Caller>(
  exchange: Exchange<Caller>,
  body: CompiledRequestBody,
  limit: number,
): Promise<void> {
  try {
    await decodeBody(exchange, body, limit);
  } catch {
    // The parameters are the reason.
  }
}

function decodeBody<Caller>(
  exchange: Exchange<Caller>,
  body: CompiledRequestBody,
  bodyLimit: number,
): Promise<void> | undefined {
  const { request } = exchange;
  if (!carriesBody(request)) {
    if (body.required) exchange.failures = [...exchange.failures, missing.at('/body')];
    return undefined;
  }
  const contentType = String(request.headers['content-type'] ?? '');
  const essence = essenceOf(contentType);
  const codec = findByMediaType(body.content, essence);
  if (codec === undefined) throw new Problem(415, `The body must be ${body.accepted}`);
  refuseContentCoding(request);
  const limit = body.limit ?? bodyLimit;
  if (codec.open !== undefined) {
    if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
    const value = codec.open(bounded(request.body, limit), contentType, bodyLimit);
    exchange.decoded = { ...exchange.decoded, contentType: essence, body: value };
    return undefined;
  }
  const keep = (value: unknown): void => {
    exchange.bodyCodec = codec;
    const { path, query, headers, cookies } = exchange.decoded;
    exchange.decoded = { path, query, headers, cookies, contentType: essence, body: value };
  };
  const refuse = (error: unknown): void => {
    note(exchange, error);
    // Of a form, the other fields can be checked.
    const { decoded } = error as DecodeError;
    if (decoded !== undefined) keep(decoded);
  };
  return request.readBody(limit).then((bytes) => {
    try {
      const value = codec.decode(bytes, contentType);
      if (value instanceof Promise) return value.then(keep, refuse);
      keep(value);
    } catch (error) {
      refuse(error);
    }
    return undefined;
  });
}

/** Keeps the failures of decoding. @throws every other error */
function note<Caller>(exchange: Exchange<Caller>, error: unknown): void {
  if (!(error instanceof DecodeError)) throw error;
  exchange.failures = [...exchange.failures, ...error.failures];
}

/** A request has content when one of these says so (RFC 9112 §6). */
function carriesBody({ headers }: HttpRequest): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function refuseContentCoding({ headers }: HttpRequest): void {
  const coding = headers['content-encoding'];
  if (coding !== undefined && String(coding).toLowerCase() !== 'identity') {
    // RFC 9110 §8.4 and §15.5.16: an unsupported coding is a 415, and `Accept-Encoding` lists the supported ones.
    throw new Problem(415, 'The body must not be compressed', { 'Accept-Encoding': 'identity' });
  }
}

/** Keeps the exact digits of the request beside the numbers that are checked. */
export function keepExact<Caller>(exchange: Exchange<Caller>): undefined {
  exchange.exact = exchange.decoded;
  exchange.decoded = withoutBigints(exchange.decoded) as DecodedRequest;
}

/** @throws a `DecodeError` that names the place of a value that cannot be converted */
export function convertRequest<Caller>(exchange: Exchange<Caller>): undefined {
  const { decodeParameters } = exchange.operation;
  const decodeBody = exchange.bodyCodec?.convert;
  const { decoded, exact = decoded } = exchange;
  if (decodeParameters !== undefined) {
    exchange.decoded = converted(decodeParameters, decoded, exact, '') as DecodedRequest;
  }
  if (decodeBody !== undefined) {
    const body = converted(decodeBody, decoded.body, exact.body, '/body');
    exchange.decoded = { ...exchange.decoded, body };
  }
}

/** @throws a 400 `Problem` with everything in the request that does not fit */
export function validate<Caller>(exchange: Exchange<Caller>): undefined {
  const { operation, decoded, bodyCodec, failures } = exchange;
  const inParameters = failuresIn(operation.checkParameters, decoded, '');
  const inBody = failuresIn(bodyCodec?.check, decoded.body, '/body');
  if (failures.length === 0 && inParameters === undefined && inBody === undefined) return;
  const told = boundedFailures([...failures, ...(inParameters ?? []), ...(inBody ?? [])]);
  throw new Problem(400, told[0]?.detail ?? 'The request is not valid', {}, told);
}

function failuresIn(
  check: Check | undefined,
  value: unknown,
  place: string,
): readonly ToldFailure[] | undefined {
  try {
    return check === undefined || check(value) ? undefined : tellFailures(check, value, place);
  } catch (error) {
    // The check of a recursive schema calls itself for each level of the body, and can run out of stack.
    if (!(error instanceof RangeError)) throw error;
    return [{ pointer: place, keyword: '$ref', detail: 'body is nested too deeply' }];
  }
}

/** How many failures are told. */
const MOST = 20;

/** Of the pointer and the sentence together. The first failure is told in any case. */
const MOST_CHARACTERS = 1000;

/**
 * The failures to tell: each place and sentence once. A property that could not be decoded is not told as missing, too.
 *
 * @param failures - those of decoding before those of the schemas
 */
function boundedFailures(failures: readonly ProblemFailure[]): readonly ProblemFailure[] {
  const told = new Map<string, ProblemFailure>();
  const places = new Set<string>();
  for (const failure of failures) {
    const { pointer, keyword, detail } = failure;
    if (told.size === MOST) break;
    const isKnown = told.has(detail) || (keyword === 'required' && places.has(pointer));
    if (isKnown || (told.size > 0 && pointer.length + detail.length > MOST_CHARACTERS)) continue;
    told.set(detail, failure);
    places.add(pointer);
  }
  return [...told.values()];
}
