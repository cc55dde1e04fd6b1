/** Serves the contracts. */

import express from 'express';
import { nodeTransport } from 'concordat/node';
import { endpoint } from './graphql/endpoint.js'; // with GRAPHQL
import { engine } from './rest/engine.js'; // with REST

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const app = express();
app.use(nodeTransport(engine)); // without GRAPHQL
app.use(nodeTransport(endpoint)); // without REST
app.use(nodeTransport(engine), nodeTransport(endpoint)); // with BOTH
app.listen(Number(PORT), HOST, () => console.log(`Listening on http://${HOST}:${PORT}`));
