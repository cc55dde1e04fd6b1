/** Applications with the CORS middleware of each host, which the guide to hooks names in a sentence. */

/** By file. */
export const corsApps: Readonly<Record<string, string>> = {
  'cors-express.ts': `import cors from 'cors';
import express from 'express';
import { nodeTransport } from '@concordat/runtime/node';
import { engine } from './engine.js';

export const app = express()
  .use(cors({ origin: 'https://shop.example' }))
  .use(nodeTransport(engine));
`,
  'cors-fastify.ts': `import cors from '@fastify/cors';
import { fastify } from 'fastify';
import { fastifyTransport } from '@concordat/runtime/fastify';
import { engine } from './engine.js';

export const app = fastify();
await app.register(cors, { origin: 'https://shop.example' });
app.all('/greetings/*', fastifyTransport(engine));
`,
  'cors-hono.ts': `import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { fetchTransport } from '@concordat/runtime/fetch';
import { engine } from './engine.js';

const answer = fetchTransport(engine, { unknownPaths: 'next' });

export const app = new Hono()
  .use(cors({ origin: 'https://shop.example' }))
  .use(async (context, next) => (await answer(context.req.raw, context)) ?? next());
`,
  'cors-node.ts': `import cors from 'cors';
import { createServer } from 'node:http';
import { nodeTransport } from '@concordat/runtime/node';
import { engine } from './engine.js';

const allow = cors({ origin: 'https://shop.example' });
const listener = nodeTransport(engine);

export const server = createServer((request, response) => {
  allow(request, response, () => listener(request, response));
});
`,
};
