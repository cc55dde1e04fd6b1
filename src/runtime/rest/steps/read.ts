/** The steps that turn a request's text and bytes into the checked values that the handler gets. */

import type { HttpRequest } from '../../http/message.js';
import type { Exchange } from './exchange.js';
import type { RequestReader } from '../operation/operation.js';
import { converted, DecodeError, failuresIn, missing } from '../decode/mismatch.js';
import { essenceOf, findByMediaType } from '../../http/media-type.js';
import { Problem, type ProblemFailure, tooLarge } from '../../http/problem.js';
import { bounded, requireIdentity } from '../../http/read-body.js';
import type { CompiledRequestBody } from '../operation/request-body.js';
import { withoutBigints } from '../decode/exact.js';
import type { DecodedRequest } from '../operation/handler.js';

/** The part of an exchange that these steps need, with the parts that they set. */
export interface Reading extends Pick<
  Exchange<never>,
  'values' | 'decoded' | 'failures' | 'exact' | 'bodyCodec'
> {
  readonly request: Pick<HttpRequest, 'query' | 'headers' | 'body' | 'readBody'>;
  readonly operation: RequestReader;
}

/**
 * Decodes the parameters, then the body. Failures are left to `validate`, which reports them together with those of the schemas.
 *
 * @throws a 400, 413 or 415 `Problem` when the parameters can be decoded but the body cannot be read
 */
export function decode(exchange: Reading): Promise<void> | undefined {
  const { request, operation } = exchange;
  try {
    exchange.decoded = operation.readParameters({
      values: exchange.values,
      query: request.query,
      headers: request.headers,
    });
  } catch (error) {
    note(exchange, error);
    exchange.decoded = (error as DecodeError).decoded as typeof exchange.decoded;
    return operation.requestBody && decodeAnyway(exchange, operation.requestBody);
  }
  return operation.requestBody && decodeBody(exchange, operation.requestBody);
}

/** Decodes the body of a request that will be refused for its parameters, even if the body cannot be read. */
async function decodeAnyway(exchange: Reading, body: CompiledRequestBody): Promise<void> {
  try {
    await decodeBody(exchange, body);
  } catch {
    // The parameters are the reason for the refusal.
  }
}

function decodeBody(exchange: Reading, body: CompiledRequestBody): Promise<void> | undefined {
  const { request, operation } = exchange;
  if (!carriesBody(request)) {
    if (body.required) exchange.failures = [...exchange.failures, missing.at('/body')];
    return undefined;
  }
  const contentType = String(request.headers['content-type'] ?? '');
  const essence = essenceOf(contentType);
  const codec = findByMediaType(body.content, essence);
  if (codec === undefined) throw new Problem(415, `The body must be ${body.accepted}`);
  requireIdentity(request.headers);
  const limit = body.limit ?? operation.bodyLimit;
  if (codec.open !== undefined) {
    if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
    const value = codec.open(bounded(request.body, limit), contentType, operation.bodyLimit);
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
    // The other fields of a form can still be checked.
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
function note(exchange: Reading, error: unknown): void {
  if (!(error instanceof DecodeError)) throw error;
  exchange.failures = [...exchange.failures, ...error.failures];
}

/** Whether the headers announce a body (RFC 9112 §6). */
export function carriesBody({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Keeps the exact digits of the request in addition to the numbers that are checked. */
export function keepExact(exchange: Reading): undefined {
  exchange.exact = exchange.decoded;
  exchange.decoded = withoutBigints(exchange.decoded) as DecodedRequest;
}

/** @throws a `DecodeError` that names the place of a value that cannot be converted */
export function convertRequest(exchange: Reading): undefined {
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

/** @throws a 400 `Problem` with the faults of the request */
export function validate(exchange: Reading): undefined {
  const found = allFailures(exchange);
  if (found.length === 0) return;
  const reported = boundedFailures(found);
  throw new Problem(400, reported[0]?.detail ?? 'The request is not valid', {}, reported);
}

/** The failures of decoding, followed by those of the schemas. */
export function allFailures(exchange: Reading): readonly ProblemFailure[] {
  const { operation, decoded, bodyCodec, failures } = exchange;
  const inParameters = failuresIn(operation.checkParameters, decoded, '');
  const inBody = failuresIn(bodyCodec?.check, decoded.body, '/body');
  const isFit = failures.length === 0 && inParameters.length === 0 && inBody.length === 0;
  return isFit ? failures : [...failures, ...inParameters, ...inBody];
}

/** The maximum number of reported failures. */
const MOST = 20;

/** The maximum length of a pointer and its sentence together. The first failure is reported even if it is longer. */
const MOST_CHARACTERS = 1000;

/**
 * The failures to report, each sentence once. A property that could not be decoded is not also reported as missing.
 *
 * @param failures - the failures of decoding, followed by those of the schemas
 */
function boundedFailures(failures: readonly ProblemFailure[]): readonly ProblemFailure[] {
  const reported = new Map<string, ProblemFailure>();
  const places = new Set<string>();
  for (const failure of failures) {
    const { pointer, keyword, detail } = failure;
    if (reported.size === MOST) break;
    const isKnown = reported.has(detail) || (keyword === 'required' && places.has(pointer));
    if (isKnown || (reported.size > 0 && pointer.length + detail.length > MOST_CHARACTERS)) continue;
    reported.set(detail, failure);
    places.add(pointer);
  }
  return [...reported.values()];
}
