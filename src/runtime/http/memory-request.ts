/** Makes requests whose body is in memory, for servers that read bodies themselves and for tests. */

import { type HttpRequest, type RequestHeaders, isStreamed, PrintableRequest } from './message.js';
import { tooLarge } from './problem.js';
import { whole } from './read-body.js';

/** The parts of a request; missing parts have simple defaults. */
export interface MemoryRequestParts<Host = unknown> extends Partial<
  Omit<HttpRequest<Host>, 'body' | 'readBody'>
> {
  /** A string is encoded as UTF-8. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * Makes a request from its parts. It gets a `content-length` if it has a body and the headers have none; a stream has no length.
 *
 * @example
 * ```ts
 * const response = await engine(memoryRequest({ path: '/users/1' }));
 * ```
 */
export function memoryRequest<Host = undefined>(
  parts: MemoryRequestParts<Host> = {},
): HttpRequest<NoInfer<Host>> {
  return new MemoryRequest(parts);
}

class MemoryRequest<Host> extends PrintableRequest<Host> {
  readonly method: string;
  readonly path: string;
  readonly #parts: MemoryRequestParts<Host>;
  readonly #headers: RequestHeaders;
  readonly #bytes: Uint8Array;
  #body: AsyncIterable<Uint8Array> | undefined;
  #signal: AbortSignal | undefined;

  constructor(parts: MemoryRequestParts<Host>) {
    super();
    const { method = 'GET', path = '/', headers = {}, body } = parts;
    this.#parts = parts;
    this.method = method;
    this.path = path;
    this.#body = isStreamed(body) ? body : undefined;
    const given = isStreamed(body) ? '' : (body ?? '');
    this.#bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
    const framing = this.#body
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': String(this.#bytes.length) };
    const isFramed = body === undefined || 'content-length' in headers || 'transfer-encoding' in headers;
    this.#headers = isFramed ? headers : { ...framing, ...headers };
  }

  get query(): string {
    return this.#parts.query ?? '';
  }

  get headers(): RequestHeaders {
    return this.#headers;
  }

  get address(): string | undefined {
    return this.#parts.address;
  }

  get host(): Host {
    // Without a host in the parts, `Host` is undefined.
    return this.#parts.host as Host;
  }

  get body(): AsyncIterable<Uint8Array> {
    return (this.#body ??= inOnePiece(this.#bytes));
  }

  readBody(limit: number): Promise<Uint8Array> {
    if (isStreamed(this.#parts.body)) return whole(this.#parts.body, limit);
    const bytes = this.#bytes;
    return bytes.length > limit ? Promise.reject(tooLarge(limit)) : Promise.resolve(bytes);
  }

  get signal(): AbortSignal {
    return (this.#signal ??= this.#parts.signal ?? new AbortController().signal);
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- the piece is there already
export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  if (bytes.length > 0) yield bytes;
}
