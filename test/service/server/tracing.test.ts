/** Spans of OpenTelemetry, received by a real SDK. */

import { SpanKind, context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { openLog } from '../../../src/service/watch/log.js';
import { Metrics } from '../../../src/service/watch/metrics.js';
import { idOf, openSpans, tracing } from '../../../src/service/watch/tracing.js';
import { databaseObserver } from '../../../src/service/watch/database-observer.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';
import { type WatchedService, startWatched, useWatched } from './watched-service.js';

describe('tracing', () => {
  const exporter = new InMemorySpanExporter();

  describe('with an SDK', () => {
    before(() => {
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      trace.setGlobalTracerProvider(provider);
      propagation.setGlobalPropagator(new W3CTraceContextPropagator());
      context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    });
    const service = useWatched();
    beforeEach(() => {
      exporter.reset();
    });
    after(() => {
      trace.disable();
      propagation.disable();
      context.disable();
    });

    async function spanOf(
      path: string,
      init?: RequestInit,
    ): Promise<ReturnType<typeof exporter.getFinishedSpans>[0]> {
      await (await fetch(service().url + path, init)).arrayBuffer();
      const servers = () => exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
      await until('the span is finished', () => servers().length > 0);
      const [span, ...others] = servers();
      expect(others).to.deep.equal([]);
      if (span === undefined) throw new Error('there is no span');
      return span;
    }

    it('makes a server span a request, named by method and route', async () => {
      const span = await spanOf('/api/users/1?token=hunter2', { headers: { 'User-Agent': 'tests' } });
      expect(span.name).to.equal('GET /api/users/{id}');
      expect(span.kind).to.equal(1); // SpanKind.SERVER
      expect(span.attributes).to.include({
        'http.request.method': 'GET',
        'http.route': '/api/users/{id}',
        'http.response.status_code': 404,
        'url.path': '/api/users/1',
        'url.scheme': 'http',
        'client.address': '127.0.0.1',
        'user_agent.original': 'tests',
        'concordat.operation_id': 'getUser',
      });
      expect(JSON.stringify(span.attributes)).not.to.include('hunter2');
    });

    it('goes on with the trace of the client', async () => {
      const traceId = '0af7651916cd43dd8448eb211c80319c';
      const span = await spanOf('/api/users', {
        headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      });
      expect(span.spanContext().traceId).to.equal(traceId);
      expect(span.parentSpanContext?.spanId).to.equal('b7ad6b7169203331');
    });

    it('is named by the method alone where no route was found', async () => {
      const span = await spanOf('/nowhere');
      expect(span.name).to.equal('GET');
      expect(span.attributes).not.to.have.any.keys('http.route', 'concordat.operation_id');
    });

    it('has the name of a GraphQL operation', async () => {
      const span = await spanOf('/graphql?query=query Everybody{users{id}}');
      expect(span.attributes['graphql.operation.name']).to.equal('Everybody');
    });

    it('has spans of the calls of the database, which end with an error if they fail', async () => {
      const server = await spanOf('/api/users/1');
      const call = exporter.getFinishedSpans().find(({ name }) => name === 'users.find');
      expect(call?.kind).to.equal(SpanKind.CLIENT);
      expect(call?.parentSpanContext?.spanId).to.equal(server.spanContext().spanId);
      expect(call?.attributes).to.deep.equal({
        'db.collection.name': 'users',
        'db.operation.name': 'find',
        'db.system.name': 'memory',
      });
      const observer = await databaseObserver(new Metrics(), await openLog('silent'), 'memory', 1_000);
      exporter.reset();
      await observer
        .call?.('users.find', () => Promise.reject(new RangeError('secret')))
        .catch(() => undefined);
      await until('the span is finished', () => exporter.getFinishedSpans().length > 0);
      const [failed] = exporter.getFinishedSpans();
      expect(failed?.status).to.deep.equal({ code: 2 });
      expect(failed?.attributes).to.include({ 'error.type': 'RangeError' });
      expect(JSON.stringify([failed?.attributes, failed?.events])).not.to.include('secret');
    });

    it('goes on in the processes that receive its event', async () => {
      const database = await (await sharedPostgres()).createDatabase();
      const start = () => startWatched({ DATABASE_URL: database, EVENTS_URL: database });
      const [one, other] = [await start(), await start()];
      const leave = new AbortController();
      try {
        const ask = ({ url }: WatchedService, body: object, headers: Readonly<Record<string, string>>) =>
          fetch(`${url}/graphql`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', ...headers },
            body: JSON.stringify(body),
            signal: leave.signal,
          });
        const answer = await fetch(`${one.url}/api/users`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'Ada', email: 'ada@example.com' }),
        });
        const { id } = (await answer.json()) as { readonly id: string };
        const subscription = { query: 'subscription { postAdded { id } }' };
        const stream = await ask(other, subscription, { Accept: 'text/event-stream' });
        const named = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name);
        // A post that came while it reads would be read in its own trace.
        await until('the subscription has read', () => named('posts.listSince').length > 0);
        exporter.reset();
        const traceId = '0af7651916cd43dd8448eb211c80319c';
        const query = `mutation { createPost(title: "T", content: "C", authorId: "${id}") { id } }`;
        await (await ask(one, { query }, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })).text();
        const reads = () => named('posts.listSince').filter((span) => span.spanContext().traceId === traceId);
        await until('the post is read', () => reads().length > 0);
        const [sent, ...others] = named('send POST_ADDED');
        expect(others).to.deep.equal([]);
        // The event is received where there are subscribers.
        const [received] = named('process POST_ADDED');
        expect(received?.kind).to.equal(SpanKind.CONSUMER);
        expect(received?.parentSpanContext).to.include({
          spanId: sent?.spanContext().spanId,
          isRemote: true,
        });
        expect(received?.attributes).to.deep.equal({
          'messaging.destination.name': 'POST_ADDED',
          'messaging.message.id': '1',
        });
        const [read] = reads();
        expect(read?.parentSpanContext?.spanId).to.equal(received?.spanContext().spanId);
        for (const span of [sent, received, read, ...named('posts.create')]) {
          expect(span?.spanContext().traceId, span?.name).to.equal(traceId);
        }
        await stream.body?.cancel();
      } finally {
        leave.abort();
        await Promise.all([one.stop(), other.stop()]);
      }
    });

    it('is an error only where the service failed', async () => {
      expect((await spanOf('/nowhere')).status.code).to.equal(0);
      exporter.reset();
      service().services.users.get = () => Promise.reject(new Error('broken'));
      expect((await spanOf('/api/users/1')).status.code).to.equal(2);
    });
  });

  it('is no step of the server without an SDK, and events have plain ids then', async () => {
    expect(await tracing()).to.equal(undefined);
    expect(await openSpans()).to.equal(undefined);
    expect(idOf('42')).to.equal('42');
    // From a process with an SDK.
    expect(idOf('42\u001f00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')).to.equal('42');
  });
});
