/** A part of a contract behind every host: the engine serves the operations with a handler, and the host the others. */

import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { Router } from '@koa/router';
import type { ServedHandler } from '../../../src/runtime/conformance/index.js';
import { type RestContract, type RestEngine, memoryRequest, restEngine } from '../../../src/runtime/index.js';
import { mcpServer } from '../../../src/runtime/mcp/index.js';
import { testClient } from '../../../src/runtime/testing/index.js';
import { fastifyTransport } from '../../../src/runtime/transports/fastify.js';
import { fetchTransport } from '../../../src/runtime/transports/fetch.js';
import { koaTransport, sendPastKoa } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { openapiBackendHandlers } from '../../../src/runtime/transports/openapi-backend.js';
import { fetchListener, listenTo } from './listeners.js';

type Id = 'getCustomer' | 'putCustomer' | 'getMe' | 'listInvoices';

const operation = (method: string, path: string) =>
  ({
    method,
    path,
    security: [],
    responses: { '200': { content: { 'text/plain': { kind: 'text' } } } },
  }) as const;

const contract: RestContract<Id, never> = {
  operations: {
    getCustomer: operation('GET', '/customers/{id}'),
    putCustomer: operation('PUT', '/customers/{id}'),
    getMe: operation('GET', '/customers/me'),
    listInvoices: operation('GET', '/invoices'),
  },
  paths: {
    literals: {
      customers: {
        literals: { me: { operations: { GET: 'getMe' } } },
        parameter: { operations: { GET: 'getCustomer', PUT: 'putCustomer' } },
      },
      invoices: { operations: { GET: 'listInvoices' } },
    },
  },
  securitySchemes: {},
  xmlNames: {},
};

const engine: RestEngine<undefined> = restEngine({
  contract,
  operations: {
    getCustomer: () => ({ status: 200, body: 'engine' }),
    listInvoices: () => ({ status: 200, body: 'engine' }),
  },
  others: 'next',
  security: {},
  anonymous: undefined,
  report: (error) => expect.fail(String(error)),
});

/** The host's own answer: its name, the method, and the body that it read itself. */
const answerOf = (method: string, body: string): string => `host ${method} ${body}`.trim();

/** Sends a target as it is: `fetch` would change it. */
async function answerTo(url: string, method: string, target: string): Promise<readonly unknown[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n');
  const chunks = body.join('').split('\r\n');
  return [head.slice(9, 12), /x-host: (.*)/i.exec(head)?.[1], chunks.length > 1 ? chunks[1] : chunks[0]];
}

function koaApp(mount: (app: Koa) => unknown): RequestListener {
  const app = new Koa();
  mount(app);
  app.use(async (context) => {
    context.set('X-Host', 'yes');
    context.body = answerOf(context.method, await text(context.req));
  });
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}

const hosts: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = {
  Koa: () => koaApp((app) => app.use(koaTransport(engine).routes())),
  'Koa, with sendPastKoa': () =>
    koaApp((app) => app.use(koaTransport(engine, { send: sendPastKoa }).routes())),
  'Koa, in another router': () =>
    koaApp((app) => app.use(new Router().use(koaTransport(engine).routes()).routes())),
  'Koa, beside a route of the router': () => {
    const router = koaTransport(engine);
    router.get('/extra', (context) => (context.body = 'extra'));
    return koaApp((app) => app.use(router.routes()));
  },
  'node:http with another listener': () => {
    const middleware = nodeTransport(engine, { unknownPaths: 'next' });
    return (request, response) => {
      middleware(request, response, () => {
        void text(request).then((body) => {
          response.setHeader('X-Host', 'yes').end(answerOf(String(request.method), body));
        });
      });
    };
  },
  Express: () =>
    express()
      .use(nodeTransport(engine, { unknownPaths: 'next' }))
      .use(express.text())
      .use((request, response) => {
        const body: unknown = request.body;
        response.set('X-Host', 'yes').send(answerOf(request.method, typeof body === 'string' ? body : ''));
      }) as RequestListener,
  Fastify: async () => {
    const app = fastify();
    app.all('/*', fastifyTransport(engine));
    app.setNotFoundHandler((request, reply) => {
      const body = typeof request.body === 'string' ? request.body : '';
      return reply.status(200).header('X-Host', 'yes').send(answerOf(request.method, body));
    });
    await app.ready();
    return (request, response) => {
      app.routing(request, response);
    };
  },
  Hono: () => {
    const answer = fetchTransport(engine, { unknownPaths: 'next' });
    const app = new Hono();
    app.use(async (context, next) => (await answer(context.req.raw, context)) ?? next());
    app.all('*', async ({ req }) => {
      const headers = { 'X-Host': 'yes' };
      return new Response(answerOf(req.method, await req.text()), { headers });
    });
    return fetchListener((request) => app.fetch(request));
  },
};

for (const [name, listen] of Object.entries(hosts)) {
  describe(`a part of a contract, behind ${name}`, () => {
    let served: ServedHandler;
    before(async () => {
      served = await listenTo(await listen());
    });
    after(() => served.close());

    const send = async (method: string, path: string, body?: string) => {
      const response = await fetch(served.url + path, {
        method,
        ...(body !== undefined && { body, headers: { 'content-type': 'text/plain' } }),
      });
      return [response.status, response.headers.has('x-host'), await response.text()];
    };

    it('is served by the engine where an operation has a handler', async () => {
      expect(await send('GET', '/customers/1')).to.deep.equal([200, false, 'engine']);
      expect(await send('GET', '/invoices')).to.deep.equal([200, false, 'engine']);
    });

    it('leaves the other methods of a shared path to the host, with their body unread', async () => {
      expect(await send('PUT', '/customers/1', 'a body')).to.deep.equal([200, true, 'host PUT a body']);
      expect(await send('PATCH', '/customers/1', 'a body')).to.deep.equal([200, true, 'host PATCH a body']);
      expect(await send('HEAD', '/customers/1')).to.deep.equal([200, true, '']);
      expect(await send('OPTIONS', '/customers/1')).to.deep.equal([200, true, 'host OPTIONS']);
    });

    it('leaves a path without handlers to the host, also where another path of the contract fits', async () => {
      expect(await send('GET', '/customers/me')).to.deep.equal([200, true, 'host GET']);
      expect(await send('GET', '/else')).to.deep.equal([200, true, 'host GET']);
    });

    it('answers 404 to other spellings of its paths, which a lax router would take for them', async () => {
      const spellings = [
        ...[
          '/customers/1/',
          '/Customers/1',
          '//customers/1',
          '/customers//1',
          '/customers%2F1',
          '/customers;a=b/1',
        ],
        ...[
          '/invoices/',
          '/INVOICES',
          '/invoices#x',
          '/invoices;v=1',
          '/invoices//',
          '/INVOICE%53/',
          '/%69nvoices/#/',
          '/x/../invoices',
          '/./invoices/%2e',
        ],
      ];
      for (const path of spellings) {
        const [status, , body] = await answerTo(served.url, 'GET', path);
        // Some hosts cut the fragment, or resolve dots, before the engine sees the path.
        if (!/[#.]/.test(path)) expect([path, status]).to.deep.equal([path, '404']);
        expect(body, path).to.not.contain('host');
      }
      // What the contract does not have in any spelling, and methods of the host.
      expect(await answerTo(served.url, 'GET', '/invoices.json')).to.deep.equal(['200', 'yes', 'host GET']);
      expect(await answerTo(served.url, 'PUT', '/CUSTOMERS/1')).to.deep.equal(['200', 'yes', 'host PUT']);
      expect(await answerTo(served.url, 'GET', '/customers/me/')).to.deep.equal(['200', 'yes', 'host GET']);
    });

    it('answers every method of a path whose operations all have handlers', async () => {
      expect(await send('HEAD', '/invoices')).to.deep.equal([200, false, '']);
      expect((await send('OPTIONS', '/invoices')).slice(0, 2)).to.deep.equal([204, false]);
      expect((await send('DELETE', '/invoices')).slice(0, 2)).to.deep.equal([405, false]);
    });
  });
}

describe('another spelling of a path', () => {
  const parts = { contract, security: {}, anonymous: undefined, report: () => undefined } as const;
  const operations = {
    getCustomer: () => ({ status: 200, body: 'engine' }),
    listInvoices: () => ({ status: 200, body: 'engine' }),
  };

  it('is redirected with the option, with its query, and never to another server', async () => {
    const redirecting = restEngine({ ...parts, operations, others: 'next', otherSpellings: 'redirect' });
    const listener = nodeTransport(redirecting, { prefix: '/v1', unknownPaths: 'next' });
    const served = await listenTo((request, response) => {
      listener(request, response, () => response.end('host'));
    });
    try {
      for (const path of ['/invoices/', '/Invoices', '//invoices', '///INVOICES//']) {
        const { status, url, redirected } = await fetch(`${served.url}/v1${path}?page=2&q=//evil`);
        expect([status, redirected, url]).to.deep.equal([
          200,
          true,
          `${served.url}/v1/invoices?page=2&q=//evil`,
        ]);
      }
      const kept = await fetch(`${served.url}/v1/CUSTOMERS/a%2FB/`, { redirect: 'manual' });
      expect([kept.status, kept.headers.get('location')]).to.deep.equal([308, '../../customers/a%2FB']);
      const evil = await fetch(`${served.url}/v1//customers//evil.example/`, { redirect: 'manual' });
      expect(new URL(evil.headers.get('location') ?? '', evil.url).href).to.equal(
        `${served.url}/v1/customers/evil.example`,
      );
      // A prefix in another spelling is claimed too.
      expect((await fetch(`${served.url}/V1/invoices`, { redirect: 'manual' })).status).to.equal(404);
    } finally {
      await served.close();
    }
  });

  it('is left to the host with the option', () => {
    const { serves } = restEngine({ ...parts, operations, others: 'next', otherSpellings: 'next' });
    expect(serves('GET', '/invoices')).to.equal(true);
    expect(serves('GET', '/invoices/')).to.equal(false);
  });
});

describe('a part of a contract', () => {
  it('does not start where there is no next handler', () => {
    const tools = { title: 'Part', version: '1', keyHeaders: [], operations: [], inputs: {}, outputs: {} };
    const starts: readonly (() => unknown)[] = [
      () => nodeTransport(engine),
      () => nodeTransport(engine, { unknownPaths: 'answer' }),
      () => fetchTransport(engine),
      () => koaTransport(engine, { unknownPaths: 'answer' }),
      () => fastifyTransport(engine, { unknownPaths: 'answer' }),
      () => testClient(engine, contract),
      () => mcpServer({ engine, tools }),
    ];
    for (const start of starts) {
      expect(start).to.throw(
        "the engine has others: 'next', and there is no next handler: serve it with unknownPaths: 'next', or write all handlers",
      );
    }
  });

  it('has no handler that the contract does not have, and without others every handler', () => {
    const parts = { contract, security: {}, anonymous: undefined, report: () => undefined };
    const orphan = { getCustomer: () => ({ status: 200 }), getCustomers: () => ({ status: 200 }) };
    expect(() => restEngine({ ...parts, operations: orphan, others: 'next' })).to.throw(
      'the handlers do not fit the contract; not in the contract: getCustomers',
    );
    expect(() => restEngine({ ...parts, operations: {} as never })).to.throw(
      'missing: getCustomer, putCustomer, getMe, listInvoices',
    );
  });

  it('of a contract that was generated with only is what only chose', () => {
    const { getCustomer } = contract.operations;
    const chosen: RestContract<'getCustomer', never> = { ...contract, operations: { getCustomer } };
    const parts = { contract: chosen, others: 'next', security: {}, anonymous: undefined } as const;
    const report = (): undefined => undefined;
    const { serves } = restEngine({ ...parts, report, operations: { getCustomer: () => ({ status: 200 }) } });
    const asked = [
      'GET /customers/1',
      'HEAD /customers/1',
      'PUT /customers/1',
      'GET /customers/me',
      'GET /invoices',
    ];
    expect(asked.filter((each) => serves(...(each.split(' ') as [string, string])))).to.deep.equal([
      asked[0],
    ]);
    expect(() => restEngine({ ...parts, report, operations: {} })).to.throw('missing: getCustomer');
  });

  it('answers 404 or 405 to a request that did not come through a transport', async () => {
    const statusOf = async (method: string, path: string) =>
      (await engine(memoryRequest({ method, path }))).status;
    expect(await statusOf('GET', '/customers/1')).to.equal(200);
    expect(await statusOf('PUT', '/customers/1')).to.equal(405);
    expect(await statusOf('GET', '/customers/me')).to.equal(404);
  });

  it('refuses a second handler of openapi-backend for an operation', () => {
    const handler = (): undefined => undefined;
    expect(() => openapiBackendHandlers(engine, { getCustomer: handler, putCustomer: handler })).to.throw(
      'these operations have two handlers: getCustomer',
    );
    expect(openapiBackendHandlers(engine, { putCustomer: handler })).to.include({ putCustomer: handler });
  });
});
