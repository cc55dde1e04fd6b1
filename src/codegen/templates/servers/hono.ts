/** Serves the contracts. */

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { fetchTransport } from 'concordat/fetch';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const app = new Hono();
for (const handler of [engine]) { // without GRAPHQL
for (const handler of [endpoint]) { // without REST
for (const handler of [engine, endpoint]) { // with BOTH
  const answer = fetchTransport(handler, { unknownPaths: 'next' });
  app.use(async (context, next) => (await answer(context.req.raw)) ?? next());
}
serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST }, () => console.log(`Listening on http://${HOST}:${PORT}`)); // without SUBSCRIPTIONS
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST }, () => console.log(`Listening on http://${HOST}:${PORT}`)); // with SUBSCRIPTIONS
server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
