/** Serves the contracts. */

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { fetchTransport } from '@concordat/runtime/fetch';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST
import { stopOnSignals } from './stop.js';

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const app = new Hono();
const parts = [
  fetchTransport(engine, { unknownPaths: 'next' }), // with PLAIN
  fetchTransport(engine, { unknownPaths: 'next', prefix: '__PREFIX__' }), // with PREFIX
  fetchTransport(endpoint, { unknownPaths: 'next' }), // with GRAPHQL
];
for (const answer of parts) {
  app.use(async (context, next) => (await answer(context.req.raw, context)) ?? next());
}
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST }, () => {
  console.log(`Listening on http://${HOST}:${PORT}`);
});
server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
stopOnSignals(server, [server]); // without SUBSCRIPTIONS
stopOnSignals(server, [server, sockets]); // with SUBSCRIPTIONS
