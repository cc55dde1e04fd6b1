/** A contract and GraphQL in a Fastify 5 application, with Fastify's own body parser. */
import fastify, { type FastifyInstance } from 'fastify';
import type { HttpHandler } from '@concordat/runtime';
import { fastifyTransport } from '@concordat/runtime/fastify';

export function fastifyApp(engine: HttpHandler, graphql: HttpHandler): FastifyInstance {
  const app = fastify();
  app.get('/hello', () => 'Hello from Fastify');
  app.all('/api/*', fastifyTransport(engine));
  app.all('/graphql', fastifyTransport(graphql));
  return app;
}
