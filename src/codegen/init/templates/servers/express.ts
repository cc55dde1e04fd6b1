/** Serves the contracts. */

import express from 'express';
import { nodeTransport } from '@concordat/runtime/node';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST
import { stopOnSignals } from './stop.js';

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const app = express();
app.use(nodeTransport(engine)); // with PLAIN
app.use(nodeTransport(engine, { prefix: '__PREFIX__' })); // with PREFIX
app.use(nodeTransport(endpoint)); // with GRAPHQL
const server = app.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${PORT}`);
});
server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
stopOnSignals(server, [server]); // without SUBSCRIPTIONS
stopOnSignals(server, [server, sockets]); // with SUBSCRIPTIONS
