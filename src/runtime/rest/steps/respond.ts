/** The steps that call the handler and turn its answer into a response. */

import type { Convert } from '../../contract/contract.js';
import { type HttpResponse, isStreamed } from '../../http/message.js';
import { encodeHeaderValue, joinVary } from '../../http/response-writers.js';
import type { Exchange } from './exchange.js';
import { type Answer, MOCK_HEADERS } from '../operation/handler.js';
import { chooseRepresentation, type CompiledResponse } from '../operation/response.js';
import { againstContract, checkAnswer } from '../operation/response-check.js';
import { placeOf } from '../../failures/failure.js';

/** Statuses whose response has no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
const WITHOUT_CONTENT = new Set([204, 205, 304]);

/**
 * Encodes the answer. If the operation has a checker, headers and body must also fit their schemas.
 *
 * @throws when the contract does not declare the answer
 */
export function encode<Caller>(exchange: Exchange<Caller>): undefined {
  const { operation } = exchange;
  if (typeof exchange.answer !== 'object' || exchange.answer === null) {
    throw new Error(`the handler of ${operation.id} answered nothing`);
  }
  const given = exchange.answer as Answer;
  const response = operation.responses.find(given.status);
  if (response === undefined) {
    const problem = { kind: 'undeclared-status', place: '/status', status: given.status } as const;
    throw againstContract(operation.id, given.status, problem);
  }
  // The examples of a mock are already in their JSON form.
  const { isMock } = exchange;
  const answer =
    response.converts && !isMock ? convertAnswer(operation.id, given, response, exchange.mediaType) : given;
  const { checker } = operation;
  if (checker !== undefined) checkAnswer(operation.id, answer, response, exchange.mediaType, checker);
  // A 304 has the `Vary` of the corresponding 200 (RFC 9110 §15.4.5).
  const choices = answer.status === 304 ? operation.responses.produces : response.representations;
  const vary = choices.length > 1 ? operation.vary.negotiated : operation.vary.other;
  const encoded = encodeAnswer(exchange, answer, response, vary);
  exchange.response = isMock ? { ...encoded, headers: { ...encoded.headers, ...MOCK_HEADERS } } : encoded;
}

function encodeAnswer<Caller>(
  { request, mediaType, operation }: Exchange<Caller>,
  answer: Answer,
  response: CompiledResponse,
  vary: string | undefined,
): HttpResponse {
  const headers: Record<string, string | readonly string[]> = {};
  for (const name in answer.headers) {
    const value = answer.headers[name];
    if (value === undefined) continue;
    headers[name] =
      Array.isArray(value) && name.toLowerCase() === 'set-cookie'
        ? value.map((cookie) => encodeHeaderValue(cookie))
        : encodeHeaderValue(value, response.contract.headers?.[name]?.explode);
  }
  // Caches must distinguish the representations that these request headers choose (RFC 9110 §12.5.5).
  if (vary !== undefined)
    headers['Vary'] = headers['Vary'] === undefined ? vary : joinVary(headers['Vary'], vary);
  if (response.representations.length === 0 || WITHOUT_CONTENT.has(answer.status)) {
    return { status: answer.status, headers };
  }
  const { contentType } = answer;
  const representation = chooseRepresentation(response, contentType, mediaType);
  // Within a range, the handler names the media type.
  headers['Content-Type'] =
    contentType === undefined || contentType === representation.mediaType
      ? representation.contentType
      : encodeHeaderValue(contentType);
  const check = operation.checker?.find(answer.status)?.bodies.get(representation.mediaType)?.check;
  const { strip } = representation;
  const stripItem =
    strip !== undefined && representation.hasItems
      ? (item: unknown) => strip(item, answer.status, request)
      : undefined;
  const given =
    strip === undefined || stripItem !== undefined ? answer.body : strip(answer.body, answer.status, request);
  const body = representation.encode(given, answer.schema, check, stripItem);
  if (representation.hasItems && typeof body === 'object' && 'boundary' in body) {
    if (typeof body.boundary === 'string') headers['Content-Type'] += `; boundary=${body.boundary}`;
  }
  return { status: answer.status, headers, body };
}

/** Calls the handler. @returns the answer or its promise; `encode` refuses what is no answer */
export function handle<Caller>(exchange: Exchange<Caller>): unknown {
  const { handler } = exchange.operation;
  exchange.isMock = handler.isMock === true;
  return handler(exchange.decoded, exchange);
}

/**
 * The answer with its headers and body converted to their JSON form.
 *
 * @throws an error that names the operation and the place of a value that cannot be converted
 */
export function convertAnswer(
  operationId: string,
  answer: Answer,
  response: CompiledResponse,
  preferred: string | undefined,
): Answer {
  const encode = (convert: Convert, value: unknown, place: string): unknown => {
    try {
      return convert(value);
    } catch (cause) {
      const at = [place, ...placeOf(cause)].join('/');
      const reason = cause instanceof Error ? cause.message : 'cannot be converted';
      throw new Error(
        `${operationId} answered ${String(answer.status)} with a value that has no JSON: ${at} ${reason}`,
        {
          cause,
        },
      );
    }
  };
  let { headers, body } = answer;
  for (const [name, header] of Object.entries(response.contract.headers ?? {})) {
    const value = headers?.[name];
    if (header.encode === undefined || value === undefined) continue;
    headers = { ...headers, [name]: encode(header.encode, value, `headers/${name}`) };
  }
  if (response.representations.length > 0 && !isStreamed(body)) {
    const { convert } = chooseRepresentation(response, answer.contentType, preferred);
    if (convert !== undefined) body = encode(convert, body, 'body');
  }
  return { ...answer, ...(headers && { headers }), body };
}
