/** Serves a handler through the Fetch standard: a `Request` in, a `Response` out, on any runtime that has both. */

import { fetchResponse } from '../http/response-writers.js';
import { memoryRequest } from '../http/memory-request.js';
import type { HttpHandler, HttpRequest } from '../http/message.js';
import { type TransportOptions, compilePathChoice, throwRefusal } from '../http/path-choice.js';
import { Problem, brokenOff } from '../http/problem.js';

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
      const response = await handler(fetchRequest(request, path, search.slice(1), host));
      const write = (): Response => fetchResponse(request, response);
      throwRefusal(response, options, write);
      return write();
    }
    return unknownPaths === 'next' ? undefined : new Response(null, { status: 404 });
  };
}

/** The engine detects a body by its headers, and a `Request` that was made in this process may lack them: the request then gets one. */
function fetchRequest<Host>(request: Request, path: string, query: string, host: Host): HttpRequest<Host> {
  return memoryRequest<Host>({
    ...{ method: request.method, path, query, host, headers: Object.fromEntries(request.headers) },
    ...(request.body !== null && { body: piecesOf(request) }),
    get signal() {
      return request.signal;
    },
  });
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
