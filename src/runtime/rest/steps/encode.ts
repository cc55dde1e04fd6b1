/** Turns the handler's answer into a response, and optionally checks it against the contract. */

import type { ResponseChecks } from '../../contract/contract.js';
import type { HttpResponse } from '../../http/message.js';
import { encodeHeaderValue } from '../../http/header-value.js';
import { joinVary } from '../../http/vary.js';
import type { Exchange } from './exchange.js';
import type { Answer } from '../operation/handler.js';
import { convertAnswer } from './convert.js';
import { MOCK_HEADERS } from '../operation/mocks.js';
import { type CompiledResponse, chooseRepresentation } from '../operation/response.js';
import { checkAnswer, checkNamed } from '../operation/response-check.js';
import { ItemBody } from '../sequences/write-items.js';

/** Statuses whose response has no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
const WITHOUT_CONTENT = new Set([204, 205, 304]);

/**
 * Encodes the answer.
 *
 * @param checks - when given, headers and body must also fit their schemas
 * @throws when the answer is not one that the contract declares
 */
export function encode<Caller>(exchange: Exchange<Caller>, checks: ResponseChecks | undefined): undefined {
  const { answer: given, operation } = exchange;
  if (given === undefined) throw new Error(`the handler of ${operation.id} answered nothing`);
  const response = operation.responses.find(given.status);
  if (response === undefined) {
    throw new Error(`the contract of ${operation.id} has no status ${String(given.status)}`);
  }
  // Examples are as they are sent.
  const isMock = operation.handler.isMock === true;
  const answer =
    response.converts && !isMock ? convertAnswer(operation.id, given, response, exchange.mediaType) : given;
  if (checks !== undefined) checkAnswer(operation.id, answer, response, exchange.mediaType, checks);
  // A 304 has the `Vary` of the corresponding 200 (RFC 9110 §15.4.5).
  const choices = answer.status === 304 ? operation.responses.produces : response.representations;
  const vary = choices.length > 1 ? operation.vary.negotiated : operation.vary.other;
  const encoded = encodeAnswer(answer, response, exchange.mediaType, vary, checks);
  exchange.response = isMock ? { ...encoded, headers: { ...encoded.headers, ...MOCK_HEADERS } } : encoded;
}

function encodeAnswer(
  answer: Answer,
  response: CompiledResponse,
  preferred: string | undefined,
  vary: string | undefined,
  checks: ResponseChecks | undefined,
): HttpResponse {
  const headers: Record<string, string | readonly string[]> = {};
  for (const name in answer.headers) {
    const value = answer.headers[name];
    if (value !== undefined) headers[name] = headerText(name, value, response);
  }
  // Caches must keep apart the representations that these request headers choose (RFC 9110 §12.5.5).
  if (vary !== undefined)
    headers['Vary'] = headers['Vary'] === undefined ? vary : joinVary(headers['Vary'], vary);
  if (response.representations.length === 0 || WITHOUT_CONTENT.has(answer.status)) {
    return { status: answer.status, headers };
  }
  const { contentType } = answer;
  const representation = chooseRepresentation(response, contentType, preferred);
  // Within a range, the handler names the media type.
  headers['Content-Type'] =
    contentType === undefined || contentType === representation.mediaType
      ? representation.contentType
      : encodeHeaderValue(contentType);
  const check = checks && checkNamed(checks, representation.check);
  const body = representation.encode(answer.body, answer.schema, check);
  if (body instanceof ItemBody && body.boundary !== undefined) {
    headers['Content-Type'] += `; boundary=${body.boundary}`;
  }
  return { status: answer.status, headers, body };
}

function headerText(name: string, value: unknown, response: CompiledResponse): string | readonly string[] {
  if (Array.isArray(value) && name.toLowerCase() === 'set-cookie') {
    return value.map((cookie) => encodeHeaderValue(cookie));
  }
  return encodeHeaderValue(value, response.contract.headers?.[name]?.explode);
}
