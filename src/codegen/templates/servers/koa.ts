/** Serves the contracts. */

import Koa from 'koa';
import { koaTransport } from 'concordat/koa';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const app = new Koa();
app.use(koaTransport(engine).routes()); // with REST
app.use(koaTransport(endpoint)); // with GRAPHQL
app.listen(Number(PORT), HOST, () => console.log(`Listening on http://${HOST}:${PORT}`)); // without SUBSCRIPTIONS
const server = app.listen(Number(PORT), HOST, () => console.log(`Listening on http://${HOST}:${PORT}`)); // with SUBSCRIPTIONS
server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
