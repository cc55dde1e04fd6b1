/** Serves the contracts. */

import Koa from 'koa';
import { koaTransport } from '@concordat/runtime/koa';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST
import { stopOnSignals } from './stop.js';

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const app = new Koa();
app.use(koaTransport(engine).routes()); // with PLAIN
app.use(koaTransport(engine, { prefix: '__PREFIX__' }).routes()); // with PREFIX
app.use(koaTransport(endpoint)); // with GRAPHQL
const server = app.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${PORT}`);
});
server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
stopOnSignals(server, [server]); // without SUBSCRIPTIONS
stopOnSignals(server, [server, sockets]); // with SUBSCRIPTIONS
