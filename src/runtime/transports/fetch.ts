/** Serves a handler through the Fetch standard: a `Request` in, a `Response` out, on any runtime that has both. */

import { fetchResponse } from '../http/response-writers.js';
import { type HttpHandler, type RequestHeaders, PrintableRequest } from '../http/message.js';
import { type TransportOptions, compilePathChoice, throwRefusal } from '../http/path-choice.js';
import { Problem, brokenOff } from '../http/problem.js';
import { whole } from '../http/read-body.js';

/**
 * Answers a request. The second argument is the host of the handlers: any value, such as Hono's context, or the `env` and
 * `ExecutionContext` of a Worker. It may be left out if no handler needs one.
 */
export type FetchListener<Host, Answer> = (
  request: Request,
  ...host: unknown extends Host ? [host?: unknown, ...others: unknown[]] : [host: Host]
) => Promise<Answer>;

/**
 * A function that answers every request with the handler. If `unknownPaths` is `next`, it resolves to undefined for a path that
 * the handler does not have. It rejects with any error that the handler throws.
 *
 * @example
 * ```ts
 * const answer = fetchTransport(engine);
 * const response = await answer(new Request('https://example.com/api/users/1'));
 * ```
 */
export function fetchTransport<Host>(
  handler: HttpHandler<Host>,
  options?: TransportOptions & { readonly unknownPaths?: 'answer' },
): FetchListener<Host, Response>;
export function fetchTransport<Host>(
  handler: HttpHandler<Host>,
  options: TransportOptions,
): FetchListener<Host, Response | undefined>;
export function fetchTransport<Host>(
  handler: HttpHandler<Host>,
  { unknownPaths = 'answer', ...options }: TransportOptions = {},
): (request: Request, host: Host) => Promise<Response | undefined> {
  const choose = compilePathChoice(handler, { ...options, unknownPaths });
  return async (request, host) => {
    const { pathname, search } = new URL(request.url);
    const path = choose(pathname, request.method);
    if (path !== undefined) {
      const response = await handler(new FetchRequest(request, path, search.slice(1), host));
      const write = (): Response => fetchResponse(request, response);
      throwRefusal(response, options, write);
      return write();
    }
    return unknownPaths === 'next' ? undefined : new Response(null, { status: 404 });
  };
}

class FetchRequest<Host> extends PrintableRequest<Host> {
  readonly method: string;
  readonly path: string;
  readonly #request: Request;
  readonly #query: string;
  readonly #headers: RequestHeaders;
  readonly #host: Host;

  constructor(request: Request, path: string, query: string, host: Host) {
    super();
    this.method = request.method;
    this.path = path;
    this.#request = request;
    this.#query = query;
    const fields: Record<string, string> = Object.fromEntries(request.headers);
    const isFramed = 'content-length' in fields || 'transfer-encoding' in fields;
    // The engine detects a body by these headers, and a `Request` that was made in this process may lack both.
    if (request.body !== null && !isFramed) fields['transfer-encoding'] = 'chunked';
    this.#headers = fields;
    this.#host = host;
  }

  get query(): string {
    return this.#query;
  }

  get headers(): RequestHeaders {
    return this.#headers;
  }

  get host(): Host {
    return this.#host;
  }

  /** Fetch requests have no client address. */
  get address(): undefined {
    return undefined;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get body(): AsyncIterable<Uint8Array> {
    return piecesOf(this.#request);
  }

  readBody(limit: number): Promise<Uint8Array> {
    return whole(this.body, limit);
  }
}

async function* piecesOf(request: Request): AsyncGenerator<Uint8Array, void, void> {
  if (request.bodyUsed) throw new Error('the request body was read before the contract saw it');
  try {
    // Node's types do not declare the chunks of a body's stream.
    const stream: AsyncIterable<Uint8Array> | null = request.body;
    if (stream !== null) yield* stream;
  } catch (error) {
    // An error of the stream means that the client disconnected.
    throw error instanceof Problem ? error : brokenOff();
  }
}
