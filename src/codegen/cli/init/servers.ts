/** The servers of new projects: one short file per host, and the packages that it needs. */

export const HOSTS = ['koa', 'node', 'express', 'fastify', 'hono'] as const;

export type Host = (typeof HOSTS)[number];

export interface Served {
  readonly rest: boolean;
  readonly graphql: boolean;
}

interface Recipe {
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  readonly imports: readonly string[];
  /** The lines between the imports and the address. @param handlers - the names of the handlers */
  readonly app: (handlers: readonly string[]) => readonly string[];
  /** The statement that listens, before its last argument. */
  readonly listen: string;
}

const TRANSPORT = "import { nodeTransport } from 'concordat/node';";

/** A listener that asks one handler after the other, for hosts that hand over a request and a response. */
const listener = ([first = '', second]: readonly string[]): readonly string[] =>
  second === undefined
    ? [`const listener = nodeTransport(${first});`]
    : [
        `const [first, second] = [nodeTransport(${second}), nodeTransport(${first})];`,
        'const listener: typeof first = (request, response) => {',
        '  first(request, response, () => second(request, response));',
        '};',
      ];

const RECIPES: Readonly<Record<Host, Recipe>> = {
  koa: {
    dependencies: ['koa', '@koa/router'],
    devDependencies: ['@types/koa'],
    imports: ["import Koa from 'koa';", "import { koaTransport } from 'concordat/koa';"],
    app: (handlers) => [
      'const app = new Koa();',
      ...handlers.map((name) =>
        name === 'engine' ? 'app.use(koaTransport(engine).routes());' : `app.use(koaTransport(${name}));`,
      ),
    ],
    listen: 'app.listen(Number(PORT), HOST, ',
  },
  node: {
    dependencies: [],
    devDependencies: [],
    imports: ["import { createServer } from 'node:http';", TRANSPORT],
    app: listener,
    listen: 'createServer(listener).listen(Number(PORT), HOST, ',
  },
  express: {
    dependencies: ['express'],
    devDependencies: ['@types/express'],
    imports: ["import express from 'express';", TRANSPORT],
    app: (handlers) => [
      'const app = express();',
      `app.use(${handlers.map((name) => `nodeTransport(${name})`).join(', ')});`,
    ],
    listen: 'app.listen(Number(PORT), HOST, ',
  },
  fastify: {
    dependencies: ['fastify'],
    devDependencies: [],
    imports: ["import fastify from 'fastify';", TRANSPORT],
    app: (handlers) => [
      ...listener(handlers),
      'const app = fastify();',
      '// The contract says how bodies are read.',
      'app.removeAllContentTypeParsers();',
      "app.addContentTypeParser('*', (_request, _body, done) => done(null));",
      "app.all('/*', (request, reply) => {",
      '  reply.hijack();',
      '  listener(request.raw, reply.raw);',
      '});',
    ],
    listen: 'app.listen({ port: Number(PORT), host: HOST }, ',
  },
  hono: {
    dependencies: ['hono', '@hono/node-server'],
    devDependencies: [],
    imports: [
      "import { serve } from '@hono/node-server';",
      "import { Hono } from 'hono';",
      "import { fetchTransport } from 'concordat/fetch';",
    ],
    app: (handlers) => [
      'const app = new Hono();',
      `for (const handler of [${handlers.join(', ')}]) {`,
      "  const answer = fetchTransport(handler, { unknownPaths: 'next' });",
      '  app.use(async (context, next) => (await answer(context.req.raw)) ?? next());',
      '}',
    ],
    listen: 'serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST }, ',
  },
};

export function serverFile(host: Host, { rest, graphql }: Served): string {
  const { imports, app, listen } = RECIPES[host];
  const handlers = [...(rest ? ['engine'] : []), ...(graphql ? ['endpoint'] : [])];
  return [
    '/** Serves the contracts. */',
    '',
    ...imports,
    ...(graphql ? ["import { endpoint } from './graphql/endpoint.js';"] : []),
    ...(rest ? ["import { engine } from './rest/engine.js';"] : []),
    '',
    "const { HOST = '127.0.0.1', PORT = '3000' } = process.env;",
    ...app(handlers),
    `${listen}() => console.log(\`Listening on http://\${HOST}:\${PORT}\`));`,
    '',
  ].join('\n');
}

/** What a project installs for its server. */
export function packagesOf(host: Host): Pick<Recipe, 'dependencies' | 'devDependencies'> {
  const { dependencies, devDependencies } = RECIPES[host];
  return { dependencies, devDependencies };
}
