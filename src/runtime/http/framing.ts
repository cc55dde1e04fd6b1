/** Handles the headers that mark the end of a response: a transport sends them itself, once and matching the body. */

import { type HttpResponse, isStreamed } from './message.js';

const CONTENT_LENGTH = 'content-length';
const TRANSFER_ENCODING = 'transfer-encoding';

/**
 * Whether only the transport may send a header. With two lengths, or a length beside `Transfer-Encoding`, a proxy and a client
 * may see different ends (RFC 9112 §6.3).
 */
export function isFraming(name: string): boolean {
  // Called for every header of every response; comparing lengths first avoids most calls of toLowerCase.
  const { length } = name;
  if (length === CONTENT_LENGTH.length) return name.toLowerCase() === CONTENT_LENGTH;
  return length === TRANSFER_ENCODING.length && name.toLowerCase() === TRANSFER_ENCODING;
}

/**
 * The length that a handler gives for content that the transport cannot count: a stream, a response to HEAD without a body, or
 * the 200 that a 304 replaces (RFC 9110 §8.6).
 *
 * @returns undefined if the transport counts the length, or the handler gives no valid one
 */
export function givenLength({ status, headers, body }: HttpResponse, method: string): number | undefined {
  const isUncounted = isStreamed(body) || status === 304 || (body === undefined && method === 'HEAD');
  if (!isUncounted || status === 204) return undefined;
  for (const name in headers) {
    if (name.toLowerCase() !== CONTENT_LENGTH) continue;
    const text = String(headers[name]);
    if (/^\d{1,15}$/.test(text)) return Number(text);
  }
  return undefined;
}

/** The body with its length checked: with a wrong length, the client would read into the next response or wait for ever. */
export function ofLength(body: AsyncIterable<Uint8Array>, length: number): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => checkedIterator(body[Symbol.asyncIterator](), length) };
}

/** Not a generator, because `return()` of a generator waits for the pending piece. */
function checkedIterator(iterator: AsyncIterator<Uint8Array>, length: number): AsyncIterator<Uint8Array> {
  let left = length;
  const leave = async (): Promise<IteratorResult<Uint8Array>> => {
    await iterator.return?.();
    return { done: true, value: undefined };
  };
  return {
    next: async () => {
      const piece = await iterator.next();
      if (piece.done === true) {
        if (left > 0) throw new Error(`the body ended ${String(left)} bytes before its Content-Length`);
        return piece;
      }
      left -= piece.value.length;
      if (left >= 0) return piece;
      void leave().catch(() => undefined);
      throw new Error(`the body is longer than its Content-Length of ${String(length)} bytes`);
    },
    return: leave,
  };
}

/** A response for servers that send the framing headers themselves: only a valid length that they cannot count remains. */
export function withoutFraming(response: HttpResponse, method: string): HttpResponse {
  const { headers, body } = response;
  if (!Object.keys(headers).some(isFraming)) return response;
  const length = givenLength(response, method);
  return {
    ...response,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !isFraming(name))),
      ...(length !== undefined && { 'Content-Length': String(length) }),
    },
    ...(isStreamed(body) && length !== undefined && { body: ofLength(body, length) }),
  };
}
