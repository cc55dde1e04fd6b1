/** Serves the contracts. */

import express from 'express';
import { nodeTransport } from 'concordat/node';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { sockets } from './graphql/sockets.js'; // with SUBSCRIPTIONS
import { engine } from './rest/engine.js'; // with REST

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const app = express();
app.use(nodeTransport(engine)); // without GRAPHQL
app.use(nodeTransport(endpoint)); // without REST
app.use(nodeTransport(engine), nodeTransport(endpoint)); // with BOTH
app.listen(Number(PORT), HOST, () => console.log(`Listening on http://${HOST}:${PORT}`)); // without SUBSCRIPTIONS
const server = app.listen(Number(PORT), HOST, () => console.log(`Listening on http://${HOST}:${PORT}`)); // with SUBSCRIPTIONS
server.on('upgrade', sockets.handleUpgrade); // with SUBSCRIPTIONS
