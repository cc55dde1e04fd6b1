/** What the guides to hooks, CORS and OpenTelemetry show, run in a project with the packages that they name. */

import { expect } from 'chai';
import { type Consumer, useConsumers } from './consumer.js';
import { corsApps } from './cors-apps.js';
import { type BlockName, block } from './readme-blocks.js';

/** What the blocks and the SDK of the tests are made of, with types. */
const BESIDE = [
  ...['@fastify/cors', '@koa/cors', '@koa/router', '@opentelemetry/api', 'cors', 'express', 'fastify'],
  ...['graphql', 'hono', 'koa', 'rate-limiter-flexible', '@opentelemetry/sdk-trace-base'],
  ...['@types/cors', '@types/express', '@types/koa', '@types/koa__cors', '@types/node'],
];

const FILES = [
  'engine.ts',
  'requests.ts',
  'hooks.ts',
  'rate-limits.ts',
  'traced.ts',
  'traced-graphql.ts',
  'cors-koa.ts',
] as const satisfies readonly BlockName[];

describe('guides: hooks, CORS and OpenTelemetry', () => {
  const consumerWith = useConsumers();
  let team: Consumer;

  before(() => {
    team = consumerWith(['@concordat/runtime', 'concordat', ...BESIDE]);
    for (const name of ['openapi.yaml', ...FILES] as const) team.write(name, block(name));
    for (const [name, text] of Object.entries(corsApps)) team.write(name, text);
    const generated = team.node('node_modules/.bin/concordat', 'generate', '--openapi', 'openapi.yaml');
    expect(generated.status, generated.stderr).to.equal(0);
    const modules = [...FILES, ...Object.keys(corsApps)];
    team.write('all.ts', modules.map((file) => `import './${file.replace('.ts', '.js')}';`).join('\n'));
    expect(team.typeProblems('all.ts')).to.deep.equal([]);
    team.compile('all.ts', '.');
  });

  /** Runs a module of the project. @returns the values that it prints as JSON, one per line */
  function printed(source: string): readonly unknown[] {
    const { status, stdout, stderr } = team.run(source);
    expect([status, stderr]).to.deep.equal([0, '']);
    const lines = stdout.trimEnd().split('\n');
    return lines.map((line) => (/^[[{"]/.test(line) ? (JSON.parse(line) as unknown) : line));
  }

  it('answer, refuse and extend', () => {
    const [length, ...responses] = printed(`
      import { memoryRequest } from '@concordat/runtime';
      import { engine } from './hooks.js';
      for (const name of ['Ada', 'Bob', 'Eve', 'Everybody']) {
        const id = name === 'Ada' ? 'mine' : 'not an id';
        const { status, headers, body } = await engine(memoryRequest({ path: '/greetings/' + name, headers: { 'x-request-id': id } }));
        if (name !== 'Bob') console.log(JSON.stringify([status, headers['X-Request-Id'], headers['Server-Timing'], JSON.parse(body)]));
      }`);
    expect(length).to.equal('getGreeting 10');
    expect(responses).to.have.length(4);
    const [ada, bob, eve, everybody] = responses as unknown as readonly [Line, string, Line, Line];
    expect([ada[0], ada[1], ada[3]]).to.deep.equal([200, 'mine', { text: 'Hello, Ada' }]);
    expect(bob).to.equal('getGreeting 2');
    expect([eve[0], eve[3].detail]).to.deep.equal([403, 'Eve gets no greeting']);
    expect(everybody[0]).to.equal(400);
    for (const [, , timing] of [ada, eve, everybody]) expect(timing).to.match(/^app;dur=\d+\.\d$/);
    for (const [, id] of [eve, everybody]) expect(id).to.match(/^[\da-f-]{36}$/);
  });

  it('limit the rate of an address and of a caller', () => {
    const lines = printed(`
      import { memoryRequest } from '@concordat/runtime';
      import { callerLimit, handler } from './rate-limits.js';
      const statuses = [];
      for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2']) {
        const { status, headers } = await handler(memoryRequest({ path: '/greetings/Ada', address }));
        statuses.push(status, headers['Retry-After'] ?? '');
      }
      console.log(JSON.stringify(statuses));
      const call = (id) => callerLimit.before({}, { caller: { id } }).then(() => 200, ({ status }) => status);
      const calls = [];
      for (let index = 0; index < 101; index += 1) calls.push(await call('Ada'));
      console.log(JSON.stringify([calls.indexOf(429), await call('Bob'), handler.serves('GET', '/nowhere')]));`);
    expect(lines).to.deep.equal([
      [200, '', 200, '', 200, '', 429, '60', 200, ''],
      [100, 200, false],
    ]);
  });

  it('allow other origins behind each host', () => {
    const lines = printed(`
      import { createServer } from 'node:http';
      import { once } from 'node:events';
      import { app as koa } from './cors-koa.js';
      import { app as express } from './cors-express.js';
      import { app as fastify } from './cors-fastify.js';
      import { app as hono } from './cors-hono.js';
      import { server as node } from './cors-node.js';
      async function asked(name, ask) {
        const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };
        const preflight = await ask('/greetings/Ada', { method: 'OPTIONS', headers });
        const answer = await ask('/greetings/Ada', { headers });
        const refusal = await ask('/greetings/Everybody', { headers });
        const origins = [preflight, answer, refusal].map((each) => each.headers.get('access-control-allow-origin'));
        console.log(JSON.stringify([name, preflight.status, /GET/.test(preflight.headers.get('access-control-allow-methods')), answer.status, refusal.status, ...new Set(origins)]));
      }
      async function listened(name, server) {
        if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
        await asked(name, (path, init) => fetch('http://127.0.0.1:' + server.address().port + path, init));
        server.closeAllConnections();
        server.close();
      }
      await listened('koa', createServer(koa.callback()));
      await listened('express', createServer(express));
      await fastify.listen({ port: 0, host: '127.0.0.1' });
      await listened('fastify', fastify.server);
      await asked('hono', (path, init) => hono.request(path, init));
      await listened('node', node);`);
    const expected = [204, true, 200, 400, 'https://shop.example'];
    expect(lines).to.deep.equal(
      ['koa', 'express', 'fastify', 'hono', 'node'].map((name) => [name, ...expected]),
    );
  });

  it('make spans', () => {
    const lines = printed(`
      import { trace } from '@opentelemetry/api';
      import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
      import { memoryRequest } from '@concordat/runtime';
      import { graphqlEngine } from '@concordat/runtime/graphql';
      import { buildSchema } from 'graphql';
      import { engine } from './traced.js';
      import { served } from './traced-graphql.js';
      const exporter = new InMemorySpanExporter();
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
      await engine(memoryRequest({ path: '/greetings/Ada' }));
      const graphql = graphqlEngine({ schema: buildSchema('type Query { a: Int }'), explain: () => undefined, report: console.error });
      await served(graphql).handler(memoryRequest({ path: '/graphql', query: 'query=%7Ba%7D' }));
      console.log(JSON.stringify(exporter.getFinishedSpans().map(({ name }) => name)));`);
    expect(lines).to.deep.equal([['GET /greetings/{name}', 'query', 'GET /graphql']]);
  });
});

type Line = readonly [status: number, id: string, timing: string, body: { readonly detail?: string }];
