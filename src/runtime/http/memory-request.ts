/** Makes requests whose body is in memory, for servers that read bodies themselves and for tests. */

import { type HttpRequest, type RequestHeaders, PrintableRequest } from './message.js';
import { tooLarge } from './problem.js';

/** The parts of a request; missing parts have simple defaults. */
export interface MemoryRequestParts<Host = unknown> {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: RequestHeaders;
  readonly address?: string | undefined;
  /** The host's request context, for handlers that need one. */
  readonly host?: Host;
  /** A string is encoded as UTF-8. */
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/**
 * Makes a request from its parts. It gets a `content-length` if it has a body and the headers have none.
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
  readonly #bytes: Uint8Array;
  #body: AsyncIterable<Uint8Array> | undefined = undefined;
  #signal: AbortSignal | undefined;

  constructor(parts: MemoryRequestParts<Host>) {
    super();
    const { method = 'GET', path = '/', headers = {}, body, signal } = parts;
    this.method = method;
    this.path = path;
    this.#bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
    const length = String(this.#bytes.length);
    this.#parts = {
      ...parts,
      headers: body === undefined ? headers : { 'content-length': length, ...headers },
    };
    this.#signal = signal;
  }

  get query(): string {
    return this.#parts.query ?? '';
  }

  get headers(): RequestHeaders {
    return this.#parts.headers ?? {};
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
    const bytes = this.#bytes;
    return bytes.length > limit ? Promise.reject(tooLarge(limit)) : Promise.resolve(bytes);
  }

  get signal(): AbortSignal {
    return (this.#signal ??= new AbortController().signal);
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- the piece is there already
export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  if (bytes.length > 0) yield bytes;
}
