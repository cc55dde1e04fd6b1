/** A request whose body is in memory: for servers that read bodies themselves, and for tests. */

import type { HttpRequest, RequestHeaders } from './message.js';
import { tooLarge } from './problem.js';

/** Parts that are not given have simple defaults. */
export interface MemoryRequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: RequestHeaders;
  readonly address?: string | undefined;
  /** A string is encoded as UTF-8. */
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/**
 * Makes a request of its parts. It gets a `content-length` if it has a body and the headers give none.
 *
 * @example
 * ```ts
 * const response = await engine(memoryRequest({ path: '/users/1' }));
 * ```
 */
export function memoryRequest(parts: MemoryRequestParts = {}): HttpRequest {
  const { method = 'GET', path = '/', query = '', headers = {}, address, body, signal } = parts;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  return {
    method,
    path,
    query,
    headers: body === undefined ? headers : { 'content-length': String(bytes.length), ...headers },
    address,
    body: inOnePiece(bytes),
    readBody: (limit) => (bytes.length > limit ? Promise.reject(tooLarge(limit)) : Promise.resolve(bytes)),
    signal: signal ?? new AbortController().signal,
  };
}

// eslint-disable-next-line @typescript-eslint/require-await -- the piece is there already
export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  if (bytes.length > 0) yield bytes;
}
