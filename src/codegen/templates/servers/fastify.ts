/** Serves the contracts. */

import fastify from 'fastify';
import { nodeTransport } from 'concordat/node';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const listener = nodeTransport(engine); // without GRAPHQL
const listener = nodeTransport(endpoint); // without REST
const [first, second] = [nodeTransport(endpoint), nodeTransport(engine)]; // with BOTH
const listener: typeof first = (request, response) => { // with BOTH
  first(request, response, () => second(request, response)); // with BOTH
}; // with BOTH
const app = fastify();
// The contract says how bodies are read.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, _body, done) => done(null));
app.all('/*', (request, reply) => {
  reply.hijack();
  listener(request.raw, reply.raw);
});
app.server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
app.listen({ port: Number(PORT), host: HOST }, () => console.log(`Listening on http://${HOST}:${PORT}`));
