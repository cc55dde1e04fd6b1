/** Serves the contracts. */

import { createServer } from 'node:http';
import { nodeTransport } from '@concordat/runtime/node';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST
import { stopOnSignals } from './stop.js';

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const rest = nodeTransport(engine); // with PLAIN
const rest = nodeTransport(engine, { prefix: '__PREFIX__' }); // with PREFIX
const graphql = nodeTransport(endpoint); // with GRAPHQL
const listener = rest; // without GRAPHQL
const listener = graphql; // without REST
const listener: typeof rest = (request, response) => { // with BOTH
  graphql(request, response, () => { // with BOTH
    rest(request, response); // with BOTH
  }); // with BOTH
}; // with BOTH
const server = createServer(listener).listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${PORT}`);
});
server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
stopOnSignals(server, [server]); // without SUBSCRIPTIONS
stopOnSignals(server, [server, sockets]); // with SUBSCRIPTIONS
