/** The headers that say where a response ends: a transport sends them itself, once, and right for the body that it sends. */

import { type HttpResponse, isStreamed } from './message.js';

const CONTENT_LENGTH = 'content-length';
const TRANSFER_ENCODING = 'transfer-encoding';

/**
 * Whether a handler's header is left to the transport. With two lengths, or a length beside `Transfer-Encoding`, a proxy and a
 * client may see different ends (RFC 9112 §6.3).
 */
export function isFraming(name: string): boolean {
  // Every header of every response comes here, and few have these lengths.
  const { length } = name;
  if (length === CONTENT_LENGTH.length) return name.toLowerCase() === CONTENT_LENGTH;
  return length === TRANSFER_ENCODING.length && name.toLowerCase() === TRANSFER_ENCODING;
}

/**
 * The length that a handler gives where the transport cannot count it: of a stream, of a response to HEAD that has no body, and
 * of the 200 that a 304 takes the place of (RFC 9110 §8.6).
 *
 * @returns undefined where the transport counts, where there is none, and for a value that is no length
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

/** The body with its length checked: one of another length would end within the next response, or never. */
export function ofLength(body: AsyncIterable<Uint8Array>, length: number): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => checkedIterator(body[Symbol.asyncIterator](), length) };
}

/** Not a generator, whose `return()` would wait for the pending piece. */
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

/** For servers that write responses themselves: without the headers that these then send, or that the body contradicts. */
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
