/** Writes the headers of responses and the bodies of the built-in media types. A body has the type that its handler declares, which is checked at run time. */

import { type HttpResponse, discardBody, isStreamed } from './message.js';

/** Characters that a header may not hold (RFC 9110 §5.5): control characters, which could start another header, and those beyond U+00FF. */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Writes the value of a header: the reverse of decoding one (OpenAPI Header Object, style simple). A scalar becomes plain text, an
 * array `blue,black`, and an object `R,100,G,200` or, exploded, `R=100,G=200`. Null is an empty text, and null members are left
 * out (RFC 6570 §3.2.1). Nothing is escaped.
 *
 * @throws TypeError for values inside arrays or objects that are not scalar, and for text that no header may hold
 * @example
 * encodeHeaderValue({ R: 100, G: 200 }, true); // 'R=100,G=200'
 */
export function encodeHeaderValue(value: unknown, explode = false): string {
  const text = typeof value === 'string' ? value : write(value, explode);
  const [character] = forbidden.exec(text) ?? [];
  // The message names only the character, because the text may be a credential.
  if (character !== undefined) throw new TypeError(`A header cannot hold ${JSON.stringify(character)}`);
  return text;
}

function write(value: unknown, explode: boolean): string {
  if (Array.isArray(value)) return value.filter(isPresent).map(scalarText).join(',');
  if (typeof value !== 'object' || value === null) return isPresent(value) ? scalarText(value) : '';
  return Object.entries(value)
    .filter(([, member]) => isPresent(member))
    .map(([name, member]) => `${name}${explode ? '=' : ','}${scalarText(member)}`)
    .join(',');
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      throw new TypeError(`A header cannot hold a value of type ${typeof value} inside another`);
  }
}

/**
 * Joins two `Vary` headers, the names of the request headers that a response depends on (RFC 9110 §12.5.5).
 *
 * @returns the first, followed by the names that only the second has; `*` if one of them is `*`
 */
export function joinVary(first: string | readonly string[], second: string | readonly string[]): string {
  let joined = typeof first === 'string' ? first : first.join(', ');
  if (!/[^\s,]/.test(joined)) joined = '';
  const known = `,${joined.toLowerCase().replaceAll(/\s/g, '')},`;
  if (known.includes(',*,')) return '*';
  for (const part of String(second).split(',')) {
    const name = part.trim();
    if (name === '*') return '*';
    if (name !== '' && !known.includes(`,${name.toLowerCase()},`))
      joined += joined === '' ? name : `, ${name}`;
  }
  return joined;
}

const CONTENT_LENGTH = 'content-length';
const FRAMING = new Set([CONTENT_LENGTH, 'transfer-encoding']);

/**
 * Whether only the transport may send a header. With two lengths, or a length beside `Transfer-Encoding`, a proxy and a client
 * may see different ends (RFC 9112 §6.3).
 */
export function isFraming(name: string): boolean {
  return FRAMING.has(name.toLowerCase());
}

/**
 * The length that a handler gives for content that the transport cannot count: a stream, a response to HEAD without a body, or
 * the 200 that a 304 replaces (RFC 9110 §8.6).
 *
 * @returns undefined if the transport counts the length, or the handler gives no valid one
 */
export function declaredLength({ status, headers, body }: HttpResponse, method: string): number | undefined {
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
  const length = declaredLength(response, method);
  return {
    ...response,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !isFraming(name))),
      ...(length !== undefined && { 'Content-Length': String(length) }),
    },
    ...(isStreamed(body) && length !== undefined && { body: ofLength(body, length) }),
  };
}

/** @throws TypeError for values without a JSON text: undefined, functions, big integers, cycles */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`a JSON body cannot be ${typeof value}`);
  return text;
}

/** JSON in which a bigint is a number with all its digits. @throws TypeError for values without a JSON text */
export function writeExactJson(value: unknown): string {
  try {
    return writeJson(value);
  } catch (error) {
    // Slower, for values with a bigint only: JSON.stringify refuses bigints and cannot write them as numbers.
    if (!(error instanceof TypeError)) throw error;
    return exactText(value) ?? 'null';
  }
}

/** @returns undefined for values that JSON leaves out of objects @throws RangeError for a cycle */
function exactText(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return exactText((value as { toJSON(): unknown }).toJSON());
  if (Array.isArray(value)) return `[${value.map((item) => exactText(item) ?? 'null').join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = exactText(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** Writes text unchanged, and other scalars as in JSON. @throws TypeError for anything else */
export function writeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  throw new TypeError(`a text body cannot be ${typeof value}`);
}

/** Bytes in one piece, or as a stream of pieces. @throws TypeError for anything else */
export function writeBytes(value: unknown): Uint8Array | AsyncIterable<Uint8Array> {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ReadableStream) return piecesOf(value as ReadableStream<Uint8Array>);
  // A piece that is not bytes breaks off the response when it is sent.
  if (isStreamed(value)) return value;
  throw new TypeError(`a body of bytes cannot be ${typeof value}`);
}

/** The pieces of a stream. Its own iterator would cancel it only after the pending piece, and some browsers have none. */
export function piecesOf(stream: ReadableStream<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  const reader = stream.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** 128 random bits; `crypto.randomUUID` is missing on pages that were not loaded over https. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Statuses for which the standard refuses any body, even an empty one (Fetch, "null body status"). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The response for a request, whose signal breaks off a streamed body. */
export function fetchResponse(request: Pick<Request, 'method' | 'signal'>, response: HttpResponse): Response {
  const { status, body } = response;
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    if (isFraming(name)) continue;
    for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each);
  }
  const isHead = request.method === 'HEAD';
  const given = declaredLength(response, request.method);
  if (given !== undefined) headers.set('Content-Length', String(given));
  if (isStreamed(body)) {
    if (!WITHOUT_BODY.has(status) && !isHead) {
      const checked = given === undefined ? body : ofLength(body, given);
      return new Response(streamOf(checked, [request.signal, response.signal]), { status, headers });
    }
    discardBody(response);
    return new Response(null, { status, headers });
  }
  if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  if (given === undefined) headers.set('Content-Length', String(bytes.length));
  return new Response(isHead || bytes.length === 0 ? null : bytes, { status, headers });
}

/** @param signals - break off the stream, because a runtime may not cancel it when a client disconnects before reading */
export function streamOf(
  body: AsyncIterable<Uint8Array>,
  signals: readonly (AbortSignal | undefined)[] = [],
): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const over = new AbortController();
  // Not awaited: return() of an async generator waits for the pending piece.
  const leave = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const breakOff = (): void => {
          if (over.signal.aborted) return;
          controller.error(new Error('the response was broken off'));
          leave();
        };
        for (const signal of signals) {
          if (signal?.aborted === true) breakOff();
          else signal?.addEventListener('abort', breakOff, { once: true, signal: over.signal });
        }
      },
      async pull(controller) {
        try {
          const piece = await iterator.next();
          // A stream that has been broken off in the meantime accepts no more pieces.
          if (over.signal.aborted) return;
          if (piece.done !== true) {
            controller.enqueue(piece.value);
            return;
          }
          over.abort();
          controller.close();
        } catch (error) {
          over.abort();
          throw error;
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
