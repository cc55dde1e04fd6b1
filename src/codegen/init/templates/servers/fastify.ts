/** Serves the contracts. */

import fastify from 'fastify';
import { fastifyTransport } from '@concordat/runtime/fastify';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST
import { stopOnSignals } from './stop.js';

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const app = fastify();
// The contract says how bodies are read.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, _body, done) => {
  done(null);
});
app.all('/graphql', fastifyTransport(endpoint)); // with GRAPHQL
app.all('/*', fastifyTransport(engine, { unknownPaths: 'answer' })); // with PLAIN
app.all('/*', fastifyTransport(engine, { unknownPaths: 'answer', prefix: '__PREFIX__' })); // with PREFIX
app.server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
app.addHook('preClose', () => sockets.close()); // with SUBSCRIPTIONS
app.listen({ port: Number(PORT), host: HOST }, () => {
  console.log(`Listening on http://${HOST}:${PORT}`);
});
stopOnSignals(app.server, [app]);
