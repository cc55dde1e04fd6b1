/** Spans of requests and GraphQL operations, received by a real SDK. */

import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { RPCType, setRPCMetadata, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { graphqlEngine } from '../../../src/runtime/graphql/index.js';
import {
  discardBody,
  type HttpHandler,
  type HttpResponse,
  isStreamed,
} from '../../../src/runtime/http/message.js';
import { Problem } from '../../../src/runtime/http/problem.js';
import { recordErrors, traced, tracedGraphql } from '../../../src/runtime/tracing/opentelemetry.js';
import { oneOperation, requestOf } from '../rest/one-operation.js';
import { transports, withListener } from '../transports/transports.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

describe('@concordat/runtime/opentelemetry', () => {
  const exporter = new InMemorySpanExporter();

  before(() => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
  beforeEach(() => {
    exporter.reset();
  });
  after(() => {
    trace.disable();
    propagation.disable();
    context.disable();
  });

  function onlySpan(): ReadableSpan {
    const [span, ...others] = exporter.getFinishedSpans();
    expect(others.map(({ name }) => name)).to.deep.equal([]);
    if (span === undefined) throw new Error('there is no span');
    return span;
  }

  const activeId = (): string | undefined => trace.getActiveSpan()?.spanContext().spanId;

  const request = (parts: Parameters<typeof requestOf>[0] = {}) => requestOf({ path: '/thing', ...parts });

  describe('traced', () => {
    it('names the span of an operation by its method and route', async () => {
      const answer = traced(oneOperation());
      const headers = { host: 'shop.example:8080', 'user-agent': 'tests', traceparent };
      await answer(request({ headers, address: '10.0.0.7', query: 'token=hunter2' }));
      const span = onlySpan();
      expect([span.name, span.kind, span.status.code]).to.deep.equal([
        'POST /thing',
        SpanKind.SERVER,
        SpanStatusCode.UNSET,
      ]);
      expect(span.attributes).to.deep.equal({
        'http.request.method': 'POST',
        'http.route': '/thing',
        'http.response.status_code': 200,
        'url.path': '/thing',
        'server.address': 'shop.example',
        'client.address': '10.0.0.7',
        'user_agent.original': 'tests',
        'concordat.operation_id': 'doIt',
      });
      expect([span.spanContext().traceId, span.parentSpanContext?.spanId]).to.deep.equal([
        TRACE,
        'b7ad6b7169203331',
      ]);
    });

    for (const { name, listen } of transports) {
      it(`is active during security, hooks and the handler, behind ${name}`, async () => {
        const seen: unknown[] = [];
        const see = () => void seen.push(activeId());
        const engine = oneOperation({
          operation: { security: [{ key: [] }], method: 'GET' },
          securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
          security: { key: { missing: 'no key', authenticate: async () => { await Promise.resolve(); see(); return { caller: 'Ada' }; } } },
          handler: async () => { await new Promise((resolve) => setImmediate(resolve)); see(); return { status: 200, body: 'ok' }; },
          hooks: [{ before: see, after: see }],
        }); // prettier-ignore
        await withListener(await listen(traced(engine)), async (url) => {
          expect(await (await fetch(`${url}/thing`, { headers: { 'x-key': 'k' } })).json()).to.equal('ok');
        });
        const span = onlySpan();
        expect(span.name).to.equal('GET /thing');
        expect(seen).to.deep.equal(Array(4).fill(span.spanContext().spanId));
      });
    }

    it('keeps what an engine has beside its function', () => {
      const engine = oneOperation();
      const answer = traced(engine);
      expect(answer.operations).to.equal(engine.operations);
      expect(answer.findPath).to.equal(engine.findPath);
      expect(answer.serves('POST', '/thing')).to.equal(true);
    });

    it('has an error for statuses from 500, and masked errors by a hook', async () => {
      const secret = new TypeError('broken');
      const fail = (error: Error) => () => { throw error; }; // prettier-ignore
      await traced(oneOperation({ handler: fail(secret), hooks: [recordErrors] }))(request());
      const span = onlySpan();
      expect([span.status.code, span.attributes['error.type']]).to.deep.equal([SpanStatusCode.ERROR, '500']);
      expect(span.events.map(({ attributes }) => attributes?.['exception.message'])).to.deep.equal([
        'broken',
      ]);
      exporter.reset();
      await traced(oneOperation({ handler: fail(new Problem(404, 'none')), hooks: [recordErrors] }))(
        request(),
      );
      expect([onlySpan().status.code, onlySpan().events]).to.deep.equal([SpanStatusCode.UNSET, []]);
    });

    it('has no route where there is no operation, and few names', async () => {
      const answer = traced(oneOperation(), { prefix: '/v1', attributes: () => ({ 'url.scheme': 'https' }) });
      await answer(request({ path: '/nowhere' }));
      await answer(request({ method: 'DELETE' }));
      await answer(request({ method: `X${'Y'.repeat(1000)}` }));
      await answer(request());
      const spans = exporter.getFinishedSpans();
      expect(spans.map(({ name }) => name)).to.deep.equal(['POST', 'DELETE', 'HTTP', 'POST /v1/thing']);
      expect(spans.map(({ attributes }) => attributes['http.response.status_code'])).to.deep.equal([
        404, 405, 405, 200,
      ]);
      expect(spans[0]?.attributes).not.to.have.any.keys('http.route', 'concordat.operation_id');
      expect(spans[2]?.attributes['http.request.method']).to.equal('_OTHER');
      expect(spans[2]?.attributes['http.request.method_original']).to.have.length(100);
      expect(spans[3]?.attributes).to.include({
        'url.path': '/v1/thing',
        'http.route': '/v1/thing',
        'url.scheme': 'https',
      });
    });

    it('takes any handler, and passes on its errors', async () => {
      const response = { status: 200, headers: {}, body: 'x', graphqlOperation: 'Q' };
      const good: HttpHandler = () => response;
      expect(traced(good, { route: '/graphql' })(request())).to.equal(response);
      const { name, attributes } = onlySpan();
      expect([name, attributes['graphql.operation.name']]).to.deep.equal(['POST /graphql', 'Q']);
      const fail = (): never => {
        throw new RangeError('broken');
      };
      const handlers: readonly HttpHandler[] = [fail, () => Promise.resolve().then(fail)];
      for (const handler of handlers) {
        exporter.reset();
        const outcome = Promise.resolve().then(() => traced(handler)(request()));
        expect(await outcome.catch(String)).to.equal('RangeError: broken');
        const { status, attributes: failed } = onlySpan();
        expect([status.code, failed['error.type']]).to.deep.equal([SpanStatusCode.ERROR, 'RangeError']);
      }
    });

    it('is the child of an active span, whose instrumentation gets the route', async () => {
      const tracer = trace.getTracer('instrumentation-http');
      const outer = tracer.startSpan('POST');
      const server = { type: RPCType.HTTP as const, span: outer };
      const around = setRPCMetadata(trace.setSpan(context.active(), outer), server);
      const answer = traced(oneOperation());
      await context.with(around, () => answer(request({ headers: { traceparent } })));
      const span = onlySpan();
      expect([span.kind, span.parentSpanContext?.spanId]).to.deep.equal([
        SpanKind.INTERNAL,
        outer.spanContext().spanId,
      ]);
      expect(server).to.have.property('route', '/thing');
    });

    describe('with a stream', () => {
      const body = { kind: 'items', items: { format: 'json-lines' } } as const;
      const streaming = (items: () => AsyncIterable<unknown>) =>
        traced(
          oneOperation({
            operation: { responses: { '200': { content: { 'application/jsonl': body } } } },
            handler: () => ({ status: 200, body: items() }),
          }),
        )(request());

      async function read({ body: pieces }: HttpResponse): Promise<string> {
        if (!isStreamed(pieces)) throw new Error('there is no stream');
        let text = '';
        for await (const piece of pieces) text += new TextDecoder().decode(piece);
        return text;
      }

      it('is active while pieces are made, and ends with the last', async () => {
        const seen: unknown[] = [];
        const response = await streaming(async function* () {
          seen.push(activeId());
          yield await Promise.resolve(1);
          seen.push(activeId());
        });
        expect(exporter.getFinishedSpans()).to.deep.equal([]);
        expect(await read(response)).to.equal('1\n');
        const { spanId } = onlySpan().spanContext();
        expect(seen).to.deep.equal([spanId, spanId]);
      });

      it('ends when the client goes, or does not read it at all', async () => {
        const numbers = async function* () {
          for (;;) yield await Promise.resolve(1);
        };
        const { body: pieces } = await streaming(numbers);
        if (!isStreamed(pieces)) throw new Error('there is no stream');
        for await (const piece of pieces) if (piece.length > 0) break;
        expect(onlySpan().status.code).to.equal(SpanStatusCode.UNSET);
        exporter.reset();
        discardBody(await streaming(numbers));
        await new Promise((resolve) => setImmediate(resolve));
        expect(onlySpan().name).to.equal('POST /thing');
      });

      it('has the error that broke it off', async () => {
        const response = await streaming(async function* () {
          yield await Promise.resolve(1);
          throw new RangeError('broken');
        });
        expect(await read(response).catch(String)).to.equal('RangeError: broken');
        expect([onlySpan().status.code, onlySpan().attributes['error.type']]).to.deep.equal([
          SpanStatusCode.ERROR,
          'RangeError',
        ]);
      });
    });
  });

  describe('tracedGraphql', () => {
    const fail = (): never => {
      throw new Error('secret');
    };
    const schema = makeExecutableSchema({
      typeDefs:
        'type Query { active: String broken: String } type Subscription { broken: String ticks: Int }',
      resolvers: {
        Query: { active: async () => (await Promise.resolve(), activeId()), broken: fail },
        Subscription: {
          broken: { subscribe: fail },
          ticks: {
            subscribe: async function* () {
              yield await Promise.resolve({ ticks: 1 });
            },
          },
        },
      },
    });
    const engine = tracedGraphql(
      graphqlEngine<object>({ schema, explain: () => undefined, report: () => undefined }),
    );

    it('keeps the numbers of the cache', () => {
      const before = engine.cache.hits + engine.cache.misses;
      engine.prepare({ query: '{ active }' });
      expect(engine.cache.hits + engine.cache.misses).to.equal(before + 1);
    });

    async function run(query: string, how: 'execute' | 'executeToJson' | 'subscribe' = 'execute') {
      const operation = engine.prepare({ query });
      if ('errors' in operation) throw new Error(JSON.stringify(operation));
      const headers = { traceparent };
      if (how === 'subscribe') return await engine.subscribe(operation, {}, () => ({}), headers);
      return await engine[how](operation, {}, {}, headers);
    }

    it('makes a span of each operation, named by its type', async () => {
      for (const how of ['execute', 'executeToJson'] as const) {
        exporter.reset();
        await run(`query ${'Q'.repeat(300)} { __typename }`, how);
        const span = onlySpan();
        expect([span.name, span.kind, span.status.code]).to.deep.equal([
          'query',
          SpanKind.SERVER,
          SpanStatusCode.UNSET,
        ]);
        expect(span.attributes).to.deep.equal({
          'graphql.operation.type': 'query',
          'graphql.operation.name': 'Q'.repeat(100),
        });
        expect(span.spanContext().traceId).to.equal(TRACE);
      }
    });

    it('is active in resolvers', async () => {
      const result = await run('{ active }');
      expect(result).to.deep.equal({ data: { active: onlySpan().spanContext().spanId } });
    });

    it('has the code of the first error', async () => {
      for (const how of ['execute', 'executeToJson', 'subscribe'] as const) {
        exporter.reset();
        await run(how === 'subscribe' ? 'subscription { broken }' : '{ broken }', how);
        const { name, status, attributes } = onlySpan();
        expect([name, status.code]).to.deep.equal([
          how === 'subscribe' ? 'subscription' : 'query',
          SpanStatusCode.ERROR,
        ]);
        expect(attributes['error.type']).to.equal('INTERNAL_SERVER_ERROR');
      }
    });

    it('ends when a subscription has started', async () => {
      const results = await run('subscription { ticks }', 'subscribe');
      expect([onlySpan().name, onlySpan().status.code]).to.deep.equal(['subscription', SpanStatusCode.UNSET]);
      if (!(Symbol.asyncIterator in results)) throw new Error('there is no stream');
      for await (const result of results) expect(JSON.stringify(result)).to.equal('{"data":{"ticks":1}}');
    });
  });
});
