/** Puts a REST engine behind openapi-backend: one handler per operation, for teams that already run it. */

import type { Context, Handler, HandlerMap, Request } from 'openapi-backend';
import {
  type HttpRequest,
  type HttpResponse,
  type RequestHeaders,
  type RestEngine,
  memoryRequest,
} from '../index.js';
import { writeParsedBody } from './node/parsed-body.js';

/** A request as `handleRequest` takes it. Parts that were already parsed, such as a JSON body, are serialised again. */
export type BackendRequest = Request;

/**
 * Handlers to register: one per operationId, and those for requests that openapi-backend itself would refuse, so that the
 * engine answers them. They need the original request, which openapi-backend does not give to handlers: pass it twice.
 *
 * @example
 * ```ts
 * const backend = new OpenAPIBackend({ definition, validate: false, handlers: openapiBackendHandlers(engine) });
 * await backend.init();
 * const { status, headers, body } = await backend.handleRequest(request, request);
 * ```
 */
export function openapiBackendHandlers<Caller>(engine: RestEngine<Caller>): HandlerMap {
  const answer: Handler = (
    _context: Context,
    request?: BackendRequest,
  ): HttpResponse | Promise<HttpResponse> => {
    if (request === undefined)
      throw new Error('the request is missing: call handleRequest(request, request)');
    return engine(requestOf(request));
  };
  return {
    ...Object.fromEntries(engine.operations.map(({ id }) => [id, answer])),
    notFound: answer,
    methodNotAllowed: answer,
    validationFail: answer,
    unauthorizedHandler: answer,
  };
}

function requestOf({ method, path, query, headers, body }: BackendRequest): HttpRequest {
  const mark = path.indexOf('?');
  const fields = lowerCase(headers);
  const bytes = body === undefined || body === null ? new Uint8Array() : writeParsedBody(body);
  return memoryRequest({
    method: method.toUpperCase(),
    path: mark === -1 ? path : path.slice(0, mark),
    query: query === undefined ? (mark === -1 ? '' : path.slice(mark + 1)) : textOf(query),
    headers: { ...fields, 'content-length': String(bytes.length) },
    body: bytes,
  });
}

function lowerCase(headers: BackendRequest['headers']): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function textOf(query: NonNullable<BackendRequest['query']>): string {
  if (typeof query === 'string') return query.replace(/^\?/, '');
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs as [string, string][]).toString();
}
