/** OpenTelemetry: one server span per request, if the deployer registered an SDK before the service started. */

import type * as openTelemetry from '@opentelemetry/api';
import type Koa from 'koa';
import { pathOf } from '@concordat/runtime/koa';
import { shortened } from './metrics.js';
import { noteTrace } from './request-watch.js';

/**
 * Makes the middleware. Its names follow the semantic conventions for HTTP spans (OpenTelemetry 1.23, stable).
 *
 * @returns undefined without an SDK, so that the step costs nothing
 */
export async function tracing(): Promise<Koa.Middleware | undefined> {
  const api = await registeredApi();
  if (api === undefined) return undefined;
  const { SpanKind, context: activeContext, propagation, trace } = api;
  const tracer = trace.getTracer('concordat');
  return async (context, next) => {
    const { req, res, method } = context;
    // `traceparent`, or the headers that the deployer's propagator reads.
    const parent = propagation.extract(activeContext.active(), req.headers);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: requestOf(context) }, parent);
    noteTrace(req.headers, span.spanContext().traceId);
    res.once('close', () => {
      endSpan(span, context, api);
    });
    await activeContext.with(trace.setSpan(parent, span), next);
  };
}

type Api = typeof openTelemetry;

/** The global in which every copy of version 1 of the API keeps a registered SDK. Without it, the API need not be loaded. */
const API = Symbol.for('opentelemetry.js.api.1');

/** The API with the SDK that the deployer registered; undefined without one. */
export async function registeredApi(): Promise<Api | undefined> {
  if (!(API in globalThis)) return undefined;
  const api = await import('@opentelemetry/api');
  return hasSdk(api) ? api : undefined;
}

/** Whether an SDK is registered. Without one, the API always returns the same provider, which drops its spans. */
function hasSdk({ ProxyTracerProvider, trace }: Api): boolean {
  const provider = trace.getTracerProvider();
  const nobody = new ProxyTracerProvider().getDelegate();
  return (provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider) !== nobody;
}

function requestOf(context: Koa.Context): openTelemetry.Attributes {
  return {
    'http.request.method': context.method,
    'url.path': pathOf(context),
    'url.scheme': context.protocol,
    'server.address': context.hostname,
    'client.address': context.ip,
    'user_agent.original': context.get('User-Agent'),
    'network.protocol.version': context.req.httpVersion,
  };
}

function endSpan(span: openTelemetry.Span, context: Koa.Context, { SpanStatusCode }: Api): void {
  const { _matchedRoute: route, _matchedRouteName: operationId, state, res } = context as RoutedContext;
  span.setAttribute('http.response.status_code', res.statusCode);
  if (operationId !== undefined) span.setAttribute('concordat.operation_id', operationId);
  if (state.graphqlOperation !== undefined)
    span.setAttribute('graphql.operation.name', shortened(state.graphqlOperation));
  if (route !== undefined) {
    const template = route.replaceAll(/:(\w+)/g, '{$1}');
    span.updateName(`${context.method} ${template}`).setAttribute('http.route', template);
  }
  if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The properties that `@koa/router` and the GraphQL step set on a context. */
type RoutedContext = Koa.Context & {
  readonly _matchedRoute?: string;
  readonly _matchedRouteName?: string;
  readonly state: { readonly graphqlOperation?: string };
};
