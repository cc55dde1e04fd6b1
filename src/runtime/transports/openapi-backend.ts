/** Serves a REST engine through openapi-backend, with one handler per operation, for teams that already run it. */

import type { Context, Handler, HandlerMap, Request } from 'openapi-backend';
import {
  type HttpRequest,
  type HttpResponse,
  type RequestHeaders,
  type RestEngine,
  memoryRequest,
} from '../index.js';
import { withoutFraming } from '../http/response-writers.js';
import { writeParsedBody } from './node/node-request.js';

/** The request of `handleRequest`. Parts that were already parsed, such as a JSON body, are serialised again. */
export type BackendRequest = Request;

/**
 * Handlers to register: one per operation of the engine, and those for requests that openapi-backend would refuse, so that the
 * engine answers them. They need the original request, which openapi-backend does not pass to handlers: pass it twice.
 *
 * An OpenAPI 3.1 document needs `quick: true`, because openapi-backend can check only 3.0 documents; without it, the instance has
 * no operations. With `strict: true`, it refuses handlers of operations that the document does not have. The engine validates, so
 * `validate: false` saves a second validation. A path with malformed percent-encoding is not answered: `handleRequest` rejects
 * with a `URIError` before it calls any handler.
 *
 * The host of handlers is that second argument, such as Express' `Request`.
 *
 * @param others - the other handlers of an instance that serves more than the engine; requests that the engine does not have go to
 *   these
 * @throws when an operation has a handler in the engine and another one
 *
 * @example
 * ```ts
 * const handlers = openapiBackendHandlers(engine);
 * const backend = new OpenAPIBackend({ definition, quick: true, strict: true, validate: false, handlers });
 * await backend.init();
 * const { status, headers, body } = await backend.handleRequest(request, request);
 * ```
 */
export function openapiBackendHandlers<Caller, Host extends BackendRequest>(
  engine: RestEngine<Caller, Host>,
  others: HandlerMap = {},
): HandlerMap {
  const ids = new Set(engine.operations.map(({ id }) => id));
  const twice = Object.keys(others).filter((id) => ids.has(id));
  if (twice.length > 0) throw new Error(`these operations have two handlers: ${twice.join(', ')}`);
  const answer = ({ api: { apiRoot } }: Context, request?: Host): HttpResponse | Promise<HttpResponse> => {
    if (typeof request?.path !== 'string')
      throw new Error('the request is missing: call handleRequest(request, request)');
    const { method } = request;
    const response = engine(requestOf(request, apiRoot));
    return response instanceof Promise
      ? response.then((settled) => withoutFraming(settled, method))
      : withoutFraming(response, method);
  };
  const isOwnPath = ({ api: { apiRoot }, request: { method, path } }: Context): boolean =>
    engine.serves(method.toUpperCase(), pathWithin(apiRoot, path));
  const isOwnOperation = ({ operation }: Context): boolean => ids.has(operation.operationId ?? '');

  /** Lets the engine answer its requests, and the other handler of the event the rest. */
  function share(
    event: keyof typeof NUMBERS,
    isOwn: (context: Context) => boolean,
    fallback: Handler,
  ): Handler {
    const other = others[NUMBERS[event]] ?? others[event] ?? fallback;
    return (context: Context, ...rest: [Host?]): unknown =>
      isOwn(context) ? answer(context, ...rest) : other(context, ...rest);
  }

  return {
    ...others,
    ...Object.fromEntries(Object.values(NUMBERS).map((number) => [number, undefined])),
    ...Object.fromEntries([...ids].map((id) => [id, answer])),
    notFound: share('notFound', isOwnPath, answer),
    methodNotAllowed: share('methodNotAllowed', isOwnPath, answer),
    validationFail: share('validationFail', isOwnOperation, unhandled('validationFail')),
    unauthorizedHandler: share('unauthorizedHandler', isOwnOperation, unhandled('unauthorizedHandler')),
  };
}

/** The names that openapi-backend prefers for the same events. */
const NUMBERS = {
  notFound: '404',
  methodNotAllowed: '405',
  validationFail: '400',
  unauthorizedHandler: 'unauthorizedHandler',
} as const;

/** Fails closed, like openapi-backend with `strict: true`. */
function unhandled(event: string): Handler {
  return ({ operation }: Context) => {
    throw new Error(`${String(operation.operationId)} refuses the request, and there is no handler ${event}`);
  };
}

function requestOf<Host extends BackendRequest>(request: Host, apiRoot: string): HttpRequest<Host> {
  const { method, query, headers } = request;
  const body: unknown = request.body;
  // `url` has the target as sent, because Express parses the query by different rules.
  const target = 'url' in request && typeof request.url === 'string' ? request.url : request.path;
  const mark = target.indexOf('?');
  const fields: RequestHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const contentType = String(fields['content-type'] ?? '');
  const isEmpty = body === undefined || (body === null && contentType === '');
  const bytes = isEmpty ? new Uint8Array() : writeParsedBody(body, contentType);
  return memoryRequest({
    method: method.toUpperCase(),
    path: pathWithin(apiRoot, mark === -1 ? target : target.slice(0, mark)),
    query: mark === -1 ? queryText(query ?? '') : target.slice(mark + 1),
    headers: { ...fields, 'content-length': String(bytes.length) },
    body: bytes,
    host: request,
  });
}

/** The path without the root of the instance, because the engine has the paths of the document. */
function pathWithin(apiRoot: string, path: string): string {
  const root = apiRoot.replace(/\/$/, '');
  return path.startsWith(`${root}/`) ? path.slice(root.length) : path;
}

function queryText(query: NonNullable<BackendRequest['query']>): string {
  if (typeof query === 'string') return query.replace(/^\?/, '');
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs as [string, string][]).toString();
}
