/** Converts values between their form in JSON, which is checked, and the form that handlers get and give. */

import type { Convert } from '../../contract/contract.js';
import { isStreamed } from '../../http/message.js';
import { converted, placeOf } from '../decode/converted.js';
import { withoutBigints } from '../decode/exact.js';
import type { Answer, DecodedRequest } from '../operation/handler.js';
import { type CompiledResponse, chooseRepresentation } from '../operation/response.js';
import type { Exchange } from './exchange.js';

/** Keeps the exact digits of the request beside the numbers that are checked. */
export function keepExact<Caller>(exchange: Exchange<Caller>): undefined {
  if (!exchange.operation.isExact) return;
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

/**
 * The answer with its headers and its body as they are in JSON.
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
