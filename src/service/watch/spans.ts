/** Spans of OpenTelemetry for calls of the database and for events, whose trace continues in the processes that receive them. */

import type { Context, Span, SpanOptions } from '@opentelemetry/api';
import { registeredApi } from './tracing.js';

/** Runs work in a new span, and ends the span with it. */
export interface Spans {
  /** @param call - the store and its method, such as `users.find` */
  readonly ofCall: <Outcome>(call: string, system: string | undefined, work: () => Outcome) => Outcome;
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
    options: SpanOptions,
    work: (span: Span) => Outcome,
    parent: Context = context.active(),
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

  function parentOf(text: string): Context {
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
        ...(system !== undefined && { 'db.system.name': system }),
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
