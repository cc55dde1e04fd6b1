/** A contract and GraphQL in a Fastify 5 application, with Fastify's own body parser. */
import fastify, { type FastifyInstance } from 'fastify';
import type { HttpHandler } from 'concordat';
import { nodeTransport } from 'concordat/node';

export function fastifyApp(engine: HttpHandler, graphql: HttpHandler): FastifyInstance {
  const app = fastify();
  app.get('/hello', () => 'Hello from Fastify');
  for (const [path, handler] of [['/api/*', engine], ['/graphql', graphql]] as const) {
    const listener = nodeTransport(handler);
    app.all(path, (request, reply) => {
      reply.hijack();
      listener(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
  } // prettier-ignore
  return app;
}
