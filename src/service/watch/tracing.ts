/** OpenTelemetry: a server span a request, where the deployer registered an SDK before the service started. */

import {
  type Attributes,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  context as activeContext,
  propagation,
  trace,
} from '@opentelemetry/api';
import type Koa from 'koa';
import { pathOf } from 'concordat/koa';
import { shortened } from './operation-name.js';

/**
 * The names follow the semantic conventions for HTTP spans (OpenTelemetry 1.23, stable).
 *
 * @returns undefined where nobody would receive the spans: the step then costs nothing
 */
export function tracing(): Koa.Middleware | undefined {
  if (!hasSdk()) return undefined;
  const tracer = trace.getTracer('concordat');
  return async (context, next) => {
    const { req, res, method } = context;
    // `traceparent`, or whatever headers the deployer's propagator reads.
    const parent = propagation.extract(activeContext.active(), req.headers);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: requestOf(context) }, parent);
    res.once('close', () => {
      endSpan(span, context);
    });
    await activeContext.with(trace.setSpan(parent, span), next);
  };
}

/** Without an SDK the API hands out one and the same provider, whose spans go nowhere. */
function hasSdk(): boolean {
  const provider = trace.getTracerProvider();
  const nobody = new ProxyTracerProvider().getDelegate();
  return (provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider) !== nobody;
}

function requestOf(context: Koa.Context): Attributes {
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

function endSpan(span: Span, context: Koa.Context): void {
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

/** What `@koa/router` and the GraphQL step leave on a context. */
type RoutedContext = Koa.Context & {
  readonly _matchedRoute?: string;
  readonly _matchedRouteName?: string;
  readonly state: { readonly graphqlOperation?: string };
};
