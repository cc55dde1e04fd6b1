/**
 * OpenTelemetry, if the deployer registered an SDK before the service started: spans of requests, of calls of the database, and of
 * events, whose trace continues in the processes that receive them.
 */

import type * as openTelemetry from '@opentelemetry/api';
import { pathOf } from '@concordat/runtime/koa';
import type Koa from 'koa';
import { shortened } from './metrics.js';
import { type RoutedContext, noteTrace } from './request-watch.js';

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
async function registeredApi(): Promise<Api | undefined> {
  if (!(API in globalThis)) return undefined;
  const api = await import('@opentelemetry/api');
  const { ProxyTracerProvider, trace } = api;
  const provider = trace.getTracerProvider();
  // Without an SDK, the API always returns the same provider, which drops its spans.
  const nobody = new ProxyTracerProvider().getDelegate();
  const hasSdk = (provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider) !== nobody;
  return hasSdk ? api : undefined;
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
  const {
    _matchedRoute: route,
    _matchedRouteName: operationId,
    state,
    res,
  } = context as Koa.Context & RoutedContext;
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

/** Run work in a new span each, and end the span with the work. */
export interface Spans {
  /** @param call - the store and its method, such as `users.find` */
  readonly ofCall: <Outcome>(call: string, system: string, work: () => Outcome) => Outcome;
  /** @param send - publishes the text, which has the id and the trace */
  readonly ofPublishing: (topic: string, id: string, send: (text: string) => Promise<void>) => Promise<void>;
  /** @param text - as it was received */
  readonly ofReceiving: (topic: string, text: string, receive: (id: string) => void) => void;
}

/** Between an id and its trace. Earlier versions of the service only compare the ids of posts, and a longer one counts as later. */
const SEPARATOR = '\u001f';

/** The maximum length of an id that takes a trace with it: PostgreSQL refuses events of 8,000 bytes. */
const LONGEST_ID = 1_000;

/** The trace and the span of an event, as `traceparent` has them (W3C Trace Context, section 3.2). */
const TRACE_PARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** The id of an event, without its trace. */
export function idOf(text: string): string {
  const end = text.indexOf(SEPARATOR);
  return end === -1 ? text : text.slice(0, end);
}

/** @returns undefined without a registered SDK, so that calls and events cost nothing more */
export async function openSpans(): Promise<Spans | undefined> {
  const api = await registeredApi();
  if (api === undefined) return undefined;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, trace } = api;
  const tracer = trace.getTracer('concordat');

  function inSpan<Outcome>(
    name: string,
    options: openTelemetry.SpanOptions,
    work: (span: openTelemetry.Span) => Outcome,
    parent: openTelemetry.Context = context.active(),
  ): Outcome {
    const span = tracer.startSpan(name, options, parent);
    const fail = (error: unknown): void => {
      // The message may have more than a trace should keep; it is in the log.
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      span.setStatus({ code: SpanStatusCode.ERROR }).end();
    };
    try {
      const outcome = context.with(trace.setSpan(parent, span), () => work(span));
      if (outcome instanceof Promise) outcome.then(() => span.end(), fail);
      else span.end();
      return outcome;
    } catch (error) {
      fail(error);
      throw error;
    }
  }

  function parentOf(text: string): openTelemetry.Context {
    const [, traceId = '', spanId = '', flags = ''] =
      TRACE_PARENT.exec(text.slice(idOf(text).length + SEPARATOR.length)) ?? [];
    if (traceId === '') return ROOT_CONTEXT;
    const traceFlags = Number.parseInt(flags, 16);
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  }

  const messaging = (topic: string, id: string) => ({
    'messaging.destination.name': topic,
    ...(id.length <= LONGEST_ID && { 'messaging.message.id': id }),
  });

  return {
    ofCall(call, system, work) {
      const [collection = call, operation = call] = call.split('.');
      const attributes = {
        'db.collection.name': collection,
        'db.operation.name': operation,
        'db.system.name': system,
      };
      return inSpan(call, { kind: SpanKind.CLIENT, attributes }, work);
    },
    ofPublishing: (topic, id, send) =>
      inSpan(`send ${topic}`, { kind: SpanKind.PRODUCER, attributes: messaging(topic, id) }, async (span) => {
        const { traceId, spanId, traceFlags } = span.spanContext();
        const flags = traceFlags.toString(16).padStart(2, '0');
        await send(id.length > LONGEST_ID ? id : `${id}${SEPARATOR}00-${traceId}-${spanId}-${flags}`);
      }),
    ofReceiving(topic, text, receive) {
      const id = idOf(text);
      const options = { kind: SpanKind.CONSUMER, attributes: messaging(topic, id) };
      inSpan(`process ${topic}`, options, () => receive(id), parentOf(text));
    },
  };
}
