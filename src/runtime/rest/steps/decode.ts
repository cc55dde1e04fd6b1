/** Turns the request's text and bytes into values. */

import type { HttpRequest } from '../../http/message.js';
import type { Exchange } from './exchange.js';
import { essenceOf, findByMediaType } from '../../http/media-type.js';
import { Problem, tooLarge } from '../../http/problem.js';
import { bounded } from '../../http/read-body.js';
import type { CompiledRequestBody } from '../operation/request-body.js';

/**
 * Decodes parameters, then the body.
 *
 * @param bodyLimit - the maximum size in bytes of a body whose operation gives none, and of an item of a streamed one
 * @throws a `DecodeError` or a 400, 413 or 415 `Problem` when a part of the request does not fit the contract
 */
export function decode<Caller>(exchange: Exchange<Caller>, bodyLimit: number): Promise<void> | undefined {
  const { request, operation } = exchange;
  exchange.decoded = operation.readParameters({
    values: exchange.match?.values ?? [],
    query: request.query,
    headers: request.headers,
  });
  return operation.requestBody && decodeBody(exchange, operation.requestBody, bodyLimit);
}

function decodeBody<Caller>(
  exchange: Exchange<Caller>,
  body: CompiledRequestBody,
  bodyLimit: number,
): Promise<void> | undefined {
  const { request } = exchange;
  if (!carriesBody(request)) {
    if (body.required) throw new Problem(400, 'body is required');
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
  return request.readBody(limit).then(async (bytes) => {
    const value = await codec.decode(bytes, contentType);
    exchange.bodyCodec = codec;
    exchange.decoded = { ...exchange.decoded, contentType: essence, body: value };
  });
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
