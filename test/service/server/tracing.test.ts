/** Spans of OpenTelemetry, received by a real SDK. */

import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { tracing } from '../../../src/service/watch/tracing.js';
import { until } from '../../support/until.js';
import { useWatched } from './watched-service.js';

describe('tracing', () => {
  const exporter = new InMemorySpanExporter();

  describe('with an SDK', () => {
    before(() => {
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      trace.setGlobalTracerProvider(provider);
      propagation.setGlobalPropagator(new W3CTraceContextPropagator());
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
      await until('the span is finished', () => exporter.getFinishedSpans().length > 0);
      const [span, ...others] = exporter.getFinishedSpans();
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

    it('is an error only where the service failed', async () => {
      expect((await spanOf('/nowhere')).status.code).to.equal(0);
      exporter.reset();
      service().services.users.get = () => Promise.reject(new Error('broken'));
      expect((await spanOf('/api/users/1')).status.code).to.equal(2);
    });
  });

  it('is no step of the door without an SDK', async () => {
    expect(await tracing()).to.equal(undefined);
  });
});
