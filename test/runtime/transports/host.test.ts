/** The host's request context reaches handlers, security handlers and sessions of GraphQL through every transport. */

import type { IncomingMessage, RequestListener } from 'node:http';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { buildSchema } from 'graphql';
import { createClient } from 'graphql-ws';
import { type Context as HonoContext, Hono } from 'hono';
import Koa, { type Context, type ParameterizedContext } from 'koa';
import { OpenAPIBackend } from 'openapi-backend';
import { WebSocket } from 'ws';
import { type GraphqlClient, graphqlEngine, graphqlHttp } from '../../../src/runtime/graphql/index.js';
import {
  type HostType,
  type HttpHandler,
  type HttpResponse,
  type RestContract,
  type RestEngine,
  hostType,
  memoryRequest,
  restEngine,
} from '../../../src/runtime/index.js';
import { ContractTools } from '../../../src/runtime/mcp/contract-tools.js';
import { mcpHttp } from '../../../src/runtime/mcp/index.js';
import { testClient } from '../../../src/runtime/testing/index.js';
import { fastifyTransport } from '../../../src/runtime/transports/fastify.js';
import { fetchTransport } from '../../../src/runtime/transports/fetch.js';
import { graphqlWs } from '../../../src/runtime/transports/graphql-ws.js';
import { koaTransport, sendPastKoa } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import {
  type BackendRequest,
  openapiBackendHandlers,
} from '../../../src/runtime/transports/openapi-backend.js';
import { toolTableOf } from '../../support/tool-table.js';
import { fetchListener, listenTo } from './listeners.js';

type Id = 'getHost' | 'getCaller';

const text = { '200': { content: { 'text/plain': { kind: 'text' } } } } as const;

const contract: RestContract<Id, 'key'> = {
  operations: {
    getHost: { method: 'GET', path: '/host', security: [], responses: text },
    getCaller: { method: 'GET', path: '/caller', security: [{ key: [] }], responses: text },
  },
  paths: {
    literals: { host: { operations: { GET: 'getHost' } }, caller: { operations: { GET: 'getCaller' } } },
  },
  securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
  xmlNames: {},
};

const report = (error: unknown): never => expect.fail(String(error));

/** An engine that answers with the user whom the host knows, from a handler and from a security handler. */
function engineFor<Host>(host: HostType<Host>, userOf: (host: Host) => string): RestEngine<string, Host> {
  return restEngine({
    contract,
    host,
    operations: {
      getHost: (_request: never, context) => ({ status: 200, body: userOf(context.host) }),
      getCaller: (_request: never, { caller }) => ({ status: 200, body: caller }),
    },
    security: {
      key: {
        missing: 'A key is missing',
        authenticate: (key: string, demand) => ({ caller: `${userOf(demand.host)} with ${key}` }),
      },
    },
    anonymous: '',
    report,
  });
}

type WithUser = ParameterizedContext<{ user: string }>;
const koaEngine = engineFor(hostType<WithUser>(), ({ state }) => state.user);

function koaApp(mount: (app: Koa<{ user: string }>) => unknown): RequestListener {
  const app = new Koa<{ user: string }>();
  app.use(async (context, next) => {
    context.state.user = 'Ada';
    await next();
  });
  mount(app);
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}

/** A handler that is no engine. */
const plain: HttpHandler<WithUser> = async (request) => await koaEngine(request);

const hosts: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = {
  Koa: () => koaApp((app) => app.use(koaTransport(koaEngine).routes())),
  'Koa, with middleware of the router': () => {
    const router = koaTransport(koaEngine).use((_context, next) => next());
    return koaApp((app) => app.use(router.routes()));
  },
  'Koa, with sendPastKoa': () =>
    koaApp((app) => app.use(koaTransport(koaEngine, { send: sendPastKoa }).routes())),
  'Koa, for a handler that is no engine': () => koaApp((app) => app.use(koaTransport(plain))),
  'node:http': () => {
    const engine = engineFor(hostType<IncomingMessage>(), ({ headers }) => String(headers['x-user']));
    return nodeTransport(engine);
  },
  Express: () => {
    type WithUser = express.Request & { user?: string };
    const engine = engineFor(hostType<WithUser>(), ({ user }) => String(user));
    const app = express().use((request: WithUser, _response, next) => {
      request.user = 'Ada';
      next();
    });
    return app.use(nodeTransport(engine)) as RequestListener;
  },
  Fastify: async () => {
    type WithUser = FastifyRequest & { user: string };
    const engine = engineFor(hostType<WithUser>(), ({ user }) => user);
    const app = fastify().decorateRequest('user', '');
    app.addHook('onRequest', (request, _reply, done) => {
      (request as WithUser).user = 'Ada';
      done();
    });
    app.all('/*', fastifyTransport(engine));
    await app.ready();
    return (request, response) => {
      app.routing(request, response);
    };
  },
  Hono: () => {
    type WithUser = HonoContext<{ Variables: { user: string } }>;
    const answer = fetchTransport(engineFor(hostType<WithUser>(), ({ var: { user } }) => user));
    const app = new Hono<{ Variables: { user: string } }>();
    app.use(async (context, next) => {
      context.set('user', 'Ada');
      await next();
    });
    app.all('*', (context) => answer(context.req.raw, context));
    return fetchListener((request) => app.fetch(request));
  },
  'openapi-backend': async () => {
    type WithUser = BackendRequest & { readonly user: string };
    const operation = (operationId: Id) => ({ get: { operationId, responses: {} } });
    const paths = { '/host': operation('getHost'), '/caller': operation('getCaller') };
    const backend = new OpenAPIBackend({
      definition: { openapi: '3.0.3', info: { title: 'Hosts', version: '1' }, paths },
      validate: false,
      handlers: openapiBackendHandlers(engineFor(hostType<WithUser>(), ({ user }) => user)),
    });
    await backend.init();
    return (incoming, outgoing) => {
      const headers = { authorization: incoming.headers.authorization ?? '' };
      const request = { method: 'GET', path: incoming.url ?? '', headers, user: 'Ada' };
      const answered = backend.handleRequest(request, request) as Promise<HttpResponse>;
      void answered.then(({ status, body }) => outgoing.writeHead(status).end(body as string));
    };
  },
};

for (const [name, listen] of Object.entries(hosts)) {
  describe(`the host's context, behind ${name}`, () => {
    it('is read by a handler and by a security handler', async () => {
      const served = await listenTo(await listen());
      try {
        const headers = { 'x-user': 'Ada', authorization: 'Bearer a key' };
        const textOf = async (path: string) => await (await fetch(served.url + path, { headers })).text();
        expect(await textOf('/host')).to.equal('Ada');
        expect(await textOf('/caller')).to.equal('Ada with a key');
      } finally {
        await served.close();
      }
    });
  });
}

describe("the host's context", () => {
  it('brings the environment of a Worker, and keeps it alive after the response', async () => {
    interface Worker {
      readonly env: { readonly USER: string };
      readonly waitUntil: (promise: Promise<unknown>) => void;
    }
    const pending: Promise<unknown>[] = [];
    const engine = engineFor(hostType<Worker>(), ({ env, waitUntil }) => {
      waitUntil(Promise.resolve('logged'));
      return env.USER;
    });
    const answer = fetchTransport(engine);
    const worker = {
      env: { USER: 'Ada' },
      waitUntil: (promise: Promise<unknown>) => void pending.push(promise),
    };
    const response = await answer(new Request('https://example.com/host'), worker);
    expect([await response.text(), await Promise.all(pending)]).to.deep.equal(['Ada', ['logged']]);
  });

  it('is given to a request in memory and to a client for tests, for all calls or for one', async () => {
    interface User {
      readonly name: string;
    }
    const engine = engineFor(hostType<User>(), ({ name }) => name);
    const ada = { name: 'Ada' };
    const direct = await engine(memoryRequest({ path: '/host', host: ada }));
    expect(direct.body).to.equal('Ada');
    const client = testClient(engine, contract, { host: ada }) as unknown as Record<
      Id,
      (request: object, options?: { readonly host: User }) => Promise<{ readonly body: unknown }>
    >;
    expect((await client.getHost({})).body).to.equal('Ada');
    expect((await client.getHost({}, { host: { name: 'Grace' } })).body).to.equal('Grace');
  });

  it('is the same for a tool call', async () => {
    const operation = (operationId: Id) => ({
      get: { operationId, responses: { '200': { description: 'A user.', content: { 'text/plain': {} } } } },
    });
    const table = await toolTableOf({
      openapi: '3.1.0',
      info: { title: 'Hosts', version: '1' },
      paths: { '/host': operation('getHost') },
    });
    const tools = new ContractTools({ engine: koaEngine, tools: table });
    const host = { state: { user: 'Ada' } } as WithUser;
    const result = await tools.call(
      'getHost',
      {},
      { headers: {}, signal: new AbortController().signal, host },
    );
    expect(result?.content).to.deep.equal([{ type: 'text', text: 'Ada' }]);

    const served = await listenTo(
      koaApp((app) => app.use(koaTransport(mcpHttp({ engine: koaEngine, tools: table })))),
    );
    try {
      const response = await fetch(`${served.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'getHost', arguments: {} },
        }),
      });
      expect(await response.json()).to.have.nested.property('result.content[0].text', 'Ada');
    } finally {
      await served.close();
    }
  });

  const schema = buildSchema('type Query { user: String } type Subscription { user: String }');
  Object.assign(schema.getQueryType()?.getFields()['user'] ?? {}, {
    resolve: (_source: unknown, _given: unknown, { user }: { readonly user: string }) => user,
  });
  Object.assign(schema.getSubscriptionType()?.getFields()['user'] ?? {}, {
    async *subscribe(_source: unknown, _given: unknown, { user }: { readonly user: string }) {
      yield await Promise.resolve({ user });
    },
  });

  const graphql = graphqlEngine<{ readonly user: string }>({ schema, explain: () => undefined, report });

  it('opens the session of a GraphQL request and of an event stream', async () => {
    const handler = graphqlHttp(graphql, {
      openSession: ({ host }: GraphqlClient<WithUser>) => ({ context: { user: host.state.user } }),
    });
    const served = await listenTo(koaApp((app) => app.use(koaTransport(handler))));
    try {
      const ask = (query: string, headers = {}) =>
        fetch(`${served.url}/graphql?${new URLSearchParams({ query }).toString()}`, { headers });
      expect(await (await ask('{ user }')).json()).to.deep.equal({ data: { user: 'Ada' } });
      const events = await ask('subscription { user }', { accept: 'text/event-stream' });
      expect(await events.text()).to.include('{"data":{"user":"Ada"}}');
    } finally {
      await served.close();
    }
  });

  it('is the request of the upgrade for a WebSocket, in a session that HTTP shares', async () => {
    const openSession = ({ host }: GraphqlClient<Context | IncomingMessage>) => ({
      context: { user: `${'req' in host ? 'Koa' : 'upgrade'} of ${String(host.url)}` },
    });
    const ws = graphqlWs({ engine: graphql, openSession, report });
    const answer = new Koa().use(koaTransport(graphqlHttp(graphql, { openSession }))).callback();
    const server = createServer((request, response) => void answer(request, response));
    server.on('upgrade', ws.handleUpgrade).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createClient({
      url: `ws://127.0.0.1:${String(port)}/graphql?upgrade`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    try {
      const response = await fetch(`http://127.0.0.1:${String(port)}/graphql?query={user}`);
      expect(await response.json()).to.deep.equal({ data: { user: 'Koa of /graphql?query={user}' } });
      for await (const result of client.iterate({ query: 'subscription { user }' })) {
        expect(result.data).to.deep.equal({ user: 'upgrade of /graphql?upgrade' });
      }
    } finally {
      await client.dispose();
      await ws.close();
      server.close().closeAllConnections();
    }
  });
});
