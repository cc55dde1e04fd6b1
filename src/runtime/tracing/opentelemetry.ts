/** OpenTelemetry: spans of requests and of GraphQL operations, named by the semantic conventions for HTTP and GraphQL servers. */

import {
  type Attributes,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import {
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  isStreamed,
  isThenable,
  type RequestHeaders,
} from '../http/message.js';
import { targetOf } from '../http/path-choice.js';
import type { Hooks, RestEngine, RouteMatch } from '../index.js';

export interface TracedOptions {
  /** The prefix of the transport, for the path and the route of spans. */
  readonly prefix?: string;
  /** The route of a handler that is no REST engine, such as `/graphql`. Its spans have none unless given. */
  readonly route?: string;
  /** Further attributes, such as `url.scheme`, which is not known to every transport. */
  readonly attributes?: (request: HttpRequest) => Attributes;
}

/**
 * Makes a span for each request of a handler: `GET /users/{id}`. It is active while the request is answered and a streamed body is
 * written, and ends with the response. Its parent is the active span, if there is one, or else that of the `traceparent` header. The
 * query is not recorded, because it may have credentials.
 *
 * @returns a handler of the same type, for any transport
 *
 * @example
 * ```ts
 * const engine = traced(restEngine({ contract, operations, security, anonymous, report, hooks: [recordErrors] }));
 * createServer(nodeTransport(engine)).listen(3000);
 * ```
 */
export function traced<Handler extends HttpHandler<never>>(
  handler: Handler,
  { prefix = '', route, attributes }: TracedOptions = {},
): Handler {
  const { findPath } = handler as Partial<RestEngine<unknown>>;
  const answer = handler as unknown as RestEngine<unknown>;

  const match = ({ method, path }: HttpRequest): RouteMatch<unknown> | undefined => {
    const found = findPath?.(path);
    const operation = found && targetOf(found.targets, method);
    return found && operation && { operation, values: found.values };
  };

  const tracing = (
    request: HttpRequest,
    given: RouteMatch<unknown> | undefined = match(request),
  ): HttpResponse | Promise<HttpResponse> => {
    const { method, path, headers } = request;
    const ownRoute = given?.operation.path ?? route;
    const fullRoute = ownRoute === undefined ? undefined : `${prefix}${ownRoute}`;
    // Clients choose unknown methods, and there must be few names and values.
    const isKnown = given !== undefined || METHODS.has(method);
    const name = isKnown ? method : 'HTTP';
    return inSpan(
      fullRoute === undefined ? name : `${name} ${fullRoute}`,
      headers,
      {
        'http.request.method': isKnown ? method : '_OTHER',
        'http.request.method_original': isKnown ? undefined : method.slice(0, LONGEST_NAME),
        'http.route': fullRoute,
        'url.path': `${prefix}${path}`,
        'server.address': firstOf(headers['host'])?.replace(/:\d*$/, ''),
        'client.address': request.address,
        'user_agent.original': firstOf(headers['user-agent']),
        'concordat.operation_id': given?.operation.id,
        ...attributes?.(request),
      },
      () => answer(request, given),
      endWithResponse,
    );
  };
  return Object.assign(tracing, handler);
}

/** Records masked errors on the active span, such as that of `traced`, as a hook of `restEngine`. */
export const recordErrors: Hooks<unknown> = {
  after: ({ error, response }) => {
    if (response.status >= 500 && error !== undefined) trace.getActiveSpan()?.recordException(error as Error);
  },
};

/** The part of a GraphQL engine that runs operations. */
interface OperationRunner {
  prepare(parameters: never): unknown;
  execute(operation: never, variables: never, context: never, headers?: RequestHeaders): unknown;
  executeToJson(operation: never, variables: never, context: never, headers?: RequestHeaders): unknown;
  subscribe(operation: never, variables: never, makeContext: never, headers?: RequestHeaders): unknown;
  failure(error: unknown, headers?: RequestHeaders): unknown;
  readonly cache: unknown;
}

/**
 * Makes a span for each operation of a GraphQL engine, over every transport. That of a subscription ends when it has started.
 *
 * @example
 * ```ts
 * const engine = tracedGraphql(graphqlEngine({ schema, explain, report }));
 * ```
 */
export function tracedGraphql<Engine extends OperationRunner>(engine: Engine): Engine {
  type Run = (
    operation: { readonly type: string; readonly name: string | undefined },
    variables: unknown,
    context: unknown,
    headers?: RequestHeaders,
  ) => unknown;
  const spanned =
    (run: Run): Run =>
    (operation, variables, context, headers = {}) =>
      inSpan(
        operation.type,
        headers,
        {
          'graphql.operation.type': operation.type,
          'graphql.operation.name': operation.name?.slice(0, LONGEST_NAME),
        },
        () => run.call(engine, operation, variables, context, headers),
        endWithResult,
      );
  const { execute, executeToJson, subscribe } = engine as unknown as Readonly<
    Record<keyof Engine & string, Run>
  >;
  return {
    cache: engine.cache,
    prepare: engine.prepare.bind(engine),
    failure: engine.failure.bind(engine),
    execute: spanned(execute),
    executeToJson: spanned(executeToJson),
    subscribe: spanned(subscribe),
  } satisfies Record<keyof OperationRunner, unknown> as unknown as Engine;
}

/** The methods of RFC 9110 and RFC 5789. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

/** Clients choose some names, without a limit. */
const LONGEST_NAME = 100;

/** The key under which the instrumentations of servers share the route of a request (`@opentelemetry/core`). */
const RPC_METADATA = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA');

/** Runs in a new span, which `end` ends, unless the run throws or rejects. */
function inSpan<Value>(
  name: string,
  headers: RequestHeaders,
  attributes: Attributes,
  run: () => Value | Promise<Value>,
  end: (span: Span, value: Value) => Value,
): Value | Promise<Value> {
  const active = context.active();
  const isInner = trace.getSpan(active) !== undefined;
  const parent = isInner ? active : propagation.extract(active, headers);
  const kind = isInner ? SpanKind.INTERNAL : SpanKind.SERVER;
  const span = trace.getTracer('concordat').startSpan(name, { kind, attributes }, parent);
  const server = active.getValue(RPC_METADATA) as { route?: unknown } | undefined;
  const { 'http.route': route } = attributes;
  if (server !== undefined && route !== undefined) server.route = route;
  const fail = (error: unknown): never => {
    endWithError(span, error);
    throw error;
  };
  try {
    const value = context.with(trace.setSpan(parent, span), run);
    return isThenable(value)
      ? Promise.resolve(value).then((settled) => end(span, settled), fail)
      : end(span, value);
  } catch (error) {
    return fail(error);
  }
}

function endWithError(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : typeof error;
  span.recordException(error as Error);
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }).end();
}

function endWithResponse(span: Span, response: HttpResponse): HttpResponse {
  const { status, body, graphqlOperation } = response;
  span.setAttribute('http.response.status_code', status);
  if (graphqlOperation !== undefined) {
    span.setAttribute('graphql.operation.name', graphqlOperation.slice(0, LONGEST_NAME));
  }
  if (status >= 500)
    span.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
  if (isStreamed(body)) return { ...response, body: spannedBody(span, body) };
  span.end();
  return response;
}

/** A body in whose span its pieces are made, and which ends the span. */
function spannedBody(span: Span, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const own = trace.setSpan(context.active(), span);
  return {
    [Symbol.asyncIterator]: () => {
      const pieces = context.with(own, () => body[Symbol.asyncIterator]());
      const step = async (
        next: () => Promise<IteratorResult<Uint8Array>>,
      ): Promise<IteratorResult<Uint8Array>> => {
        try {
          const piece = await context.with(own, next);
          // A transport may end a body that is over.
          if (piece.done === true && span.isRecording()) span.end();
          return piece;
        } catch (error) {
          endWithError(span, error);
          throw error;
        }
      };
      return {
        next: () => step(() => pieces.next()),
        return: () => step(async () => (await pieces.return?.()) ?? { done: true, value: undefined }),
      };
    },
  };
}

/** The result of an operation, or its stream of results. */
interface TracedResult {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  readonly result?: TracedResult;
}

function endWithResult(span: Span, value: unknown): unknown {
  const { result = value as TracedResult } = value as TracedResult;
  const [error] = result.errors ?? [];
  if (error !== undefined) {
    const { code = '_OTHER' } = error.extensions ?? {};
    span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
  return value;
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
