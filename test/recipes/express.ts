/** A contract and GraphQL in an Express 5 application that already parses bodies. */
import express from 'express';
import type { HttpHandler } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';

export function expressApp(engine: HttpHandler, graphql: HttpHandler): express.Express {
  const app = express();
  app.use(express.json());
  app.use(nodeTransport(engine), nodeTransport(graphql));
  app.get('/hello', (_request, response) => void response.send('Hello from Express'));
  return app;
}
