/** What the compiler refuses of engines that need one host, behind the transport of another. */

import type { Programs, Refusal } from './programs.js';

/** A whole program: engines over the service's contract that need a host, each behind the transport that provides it. */
const PROGRAM = `
import { createServer } from 'node:http';
import { contract } from '../../../generated/routing.js';
import type { Operations, SecuritySchemeName } from '../../../generated/operations.js';
import {
  type CallContext,
  type HttpHandler,
  type RestEngine,
  type SecurityHandler,
  type ToolTable,
  hostType,
  memoryRequest,
  restEngine,
} from '@concordat/runtime';
import { fastifyTransport } from '@concordat/runtime/fastify';
import { fetchTransport } from '@concordat/runtime/fetch';
import { type GraphqlClient, type GraphqlEngine, graphqlHttp } from '@concordat/runtime/graphql';
import { graphqlWs } from '@concordat/runtime/graphql-ws';
import { koaTransport } from '@concordat/runtime/koa';
import { mcpHttp, mcpServer } from '@concordat/runtime/mcp';
import { nodeTransport } from '@concordat/runtime/node';
import { testClient } from '@concordat/runtime/testing';
import express, { type Request as ExpressRequest } from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import type { Context as HonoContext } from 'hono';
import Koa, { type Context, type ParameterizedContext } from 'koa';
import type { IncomingMessage } from 'node:http';

interface Worker {
  readonly env: { readonly NAME: string };
  readonly waitUntil: (promise: Promise<unknown>) => void;
}
type Neutral = CallContext<string>;
type WithUser = ParameterizedContext<{ user: { name: string } }>;

/** Handlers that need no host, and the service's security handlers, which need none either. */
declare const neutral: Operations<Neutral>;
declare const key: SecurityHandler<string>;
declare const security: Record<SecuritySchemeName, SecurityHandler<string>>;
const parts = { contract, anonymous: 'nobody', report: () => undefined };

/** Declared by an option: handlers without types get the host. */
export const koaEngine = restEngine({
  ...parts,
  host: hostType<Context>(),
  security,
  operations: {
    ...neutral,
    getUser: ({ path }, { host }) => ({ status: 404, body: { error: path.id + host.ip } }),
  },
  explain: (_error, { host }) => void host.ip.trim(),
  report: (_error, { host }) => void host.ip.trim(),
});

/** Inferred from a security handler, for handlers of another file. */
export const koaOperations: Operations<CallContext<string, WithUser>> = {
  ...neutral,
  deleteUser: (_request, { host }) => ({ status: host.state.user.name === 'Ada' ? 204 : 404 }) as never,
};
export const koaSecurity: SecurityHandler<string, WithUser> = {
  missing: 'a token, please',
  authenticate: (token, { host }) => ({ caller: host.state.user.name + token }),
};
export const inferred: RestEngine<string, WithUser> = restEngine({
  ...parts,
  operations: koaOperations,
  security: { bearerAuth: koaSecurity, apiKeyAuth: key },
});

export const neutralEngine: RestEngine<string> = restEngine({ ...parts, operations: neutral, security });
declare const expressEngine: RestEngine<string, ExpressRequest>;
declare const fastifyEngine: RestEngine<string, FastifyRequest>;
declare const honoEngine: HttpHandler<HonoContext>;
declare const workerEngine: HttpHandler<Worker>;

export const koa = new Koa()
  .use(koaTransport(koaEngine).routes())
  .use(koaTransport(inferred).routes())
  .use(koaTransport(neutralEngine).routes());
export const onExpress = express().use(nodeTransport(expressEngine), nodeTransport(neutralEngine));
export const onNode = createServer(nodeTransport(neutralEngine));
fastify().all('/api/*', fastifyTransport(fastifyEngine)).all('/*', fastifyTransport(neutralEngine));

declare const honoContext: HonoContext;
export const onHono = fetchTransport(honoEngine)(honoContext.req.raw, honoContext);
export const worker = {
  fetch: (request: Request, env: Worker['env'], { waitUntil }: Pick<Worker, 'waitUntil'>) =>
    fetchTransport(workerEngine)(request, { env, waitUntil }),
  plain: fetchTransport(neutralEngine)(new Request('https://example.com'), {}, {}),
};

declare const graphql: GraphqlEngine<string>;
const openSession = ({ host }: GraphqlClient<IncomingMessage | Context>) => ({ context: String(host.url) });
koa.use(koaTransport(graphqlHttp(graphql, { openSession })));
createServer(nodeTransport(graphqlHttp(graphql, { openSession })));
graphqlWs({ engine: graphql, openSession, report: () => undefined });

declare const context: Context;
declare const tools: ToolTable;
export const client = testClient(koaEngine, contract, { host: context });
export const called = client.getUser({ path: { id: '1' } }, { host: context });
testClient(neutralEngine, contract, { headers: {} });
void koaEngine(memoryRequest({ path: '/', host: context }));
void neutralEngine(memoryRequest({ path: '/' }));
mcpServer({ engine: koaEngine, tools, host: context });
mcpServer({ engine: neutralEngine, tools });
koa.use(koaTransport(mcpHttp({ engine: koaEngine, tools })));
`;

/** No overload fits, or an argument does not. */
const REFUSED = /TS(?:2769|2345|2379)/;

const REFUSALS: readonly Refusal[] = [
  {
    what: 'a host that the handlers read and the engine does not declare',
    change: ['  host: hostType<Context>(),\n', ''],
    says: /TS18046: 'host' is of type 'unknown'/,
  },
  {
    what: 'a host that errors are reported with and the engine does not need',
    change: [
      'restEngine({ ...parts, operations: neutral, security })',
      'restEngine({ ...parts, operations: neutral, security, report: (_error, { host }) => host.ip })',
    ],
    says: /TS18046: 'host' is of type 'unknown'/,
  },
  {
    what: 'a part of the host that it does not have',
    change: ['hostType<Context>(),', 'hostType<FastifyRequest>(),'],
    says: /TS2345[^]*FastifyRequest|TS2769[^]*FastifyRequest/,
  },
  {
    what: 'handlers that need another host than the engine declares',
    change: [
      '  operations: koaOperations,\n',
      '  host: hostType<FastifyRequest>(),\n  operations: koaOperations,\n',
    ],
    says: /TS2322[^]*(?:FastifyRequest|WithUser|ParameterizedContext)/,
  },
  {
    what: 'handlers that need a host in an engine that needs none',
    change: [
      'restEngine({ ...parts, operations: neutral, security })',
      'restEngine({ ...parts, operations: koaOperations, security })',
    ],
    says: /TS2322/,
  },
  {
    what: 'security handlers that need a host in an engine that needs none',
    change: [
      'restEngine({ ...parts, operations: neutral, security })',
      'restEngine({ ...parts, operations: neutral, security: { bearerAuth: koaSecurity, apiKeyAuth: key } })',
    ],
    says: /TS2322[^]*RestEngine<string, (?:WithUser|ParameterizedContext|unknown)/,
  },
  {
    what: 'an engine that needs Fastify on Koa',
    change: ['koaTransport(koaEngine)', 'koaTransport(fastifyEngine)'],
    says: REFUSED,
  },
  {
    what: 'any handler that needs Hono on Koa',
    change: ['koaTransport(neutralEngine).routes()', 'koaTransport(honoEngine)'],
    says: REFUSED,
  },
  {
    what: 'an engine that needs Koa on Express',
    change: ['nodeTransport(expressEngine)', 'nodeTransport(koaEngine)'],
    says: REFUSED,
  },
  {
    what: 'an engine that needs Express on plain node:http',
    change: ['createServer(nodeTransport(neutralEngine))', 'createServer(nodeTransport(expressEngine))'],
    says: REFUSED,
  },
  {
    what: 'an engine that needs Koa on Fastify',
    change: ['fastifyTransport(fastifyEngine)', 'fastifyTransport(koaEngine)'],
    says: REFUSED,
  },
  {
    what: 'a Fetch transport without the host that its engine needs',
    change: ['(honoContext.req.raw, honoContext)', '(honoContext.req.raw)'],
    says: /TS2554: Expected 2 arguments, but got 1/,
  },
  {
    what: 'a Fetch transport with another host',
    change: ['(request, { env, waitUntil })', '(request, { env })'],
    says: /TS2741: Property 'waitUntil' is missing/,
  },
  {
    what: 'a GraphQL session that needs Koa, over WebSocket',
    change: ['GraphqlClient<IncomingMessage | Context>', 'GraphqlClient<Context>'],
    says: /TS2322[^]*IncomingMessage/,
  },
  {
    what: 'a GraphQL session that needs Fastify, on Koa',
    change: [
      'koaTransport(graphqlHttp(graphql, { openSession }))',
      'koaTransport(graphqlHttp(graphql, { openSession: ({ host }: GraphqlClient<FastifyRequest>) => ({ context: host.id }) }))',
    ],
    says: REFUSED,
  },
  {
    what: 'a client for tests without the host',
    change: ['testClient(koaEngine, contract, { host: context })', 'testClient(koaEngine, contract)'],
    says: /TS2554: Expected 3 arguments, but got 2/,
  },
  {
    what: 'a client for tests with options but without the host',
    change: [
      'testClient(koaEngine, contract, { host: context })',
      'testClient(koaEngine, contract, { headers: {} })',
    ],
    says: /TS2345[^]*'host' is missing/,
  },
  {
    what: 'a call with another host',
    change: ["{ path: { id: '1' } }, { host: context }", "{ path: { id: '1' } }, { host: 'Ada' }"],
    says: /TS2322[^]*'string' is not assignable/,
  },
  {
    what: 'a request in memory without the host',
    change: [
      "koaEngine(memoryRequest({ path: '/', host: context }))",
      "koaEngine(memoryRequest({ path: '/' }))",
    ],
    says: REFUSED,
  },
  {
    what: 'tools without the host',
    change: [
      'mcpServer({ engine: koaEngine, tools, host: context })',
      'mcpServer({ engine: koaEngine, tools })',
    ],
    says: /TS2345[^]*'host' is missing/,
  },
  {
    what: 'tools over the transport of another host',
    change: [
      'koaTransport(mcpHttp({ engine: koaEngine, tools }))',
      'nodeTransport(mcpHttp({ engine: koaEngine, tools }))',
    ],
    says: REFUSED,
  },
];

export const hosts: Programs = { title: 'engines and their hosts', program: PROGRAM, refusals: REFUSALS };
