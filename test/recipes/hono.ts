/** A contract and GraphQL in a Hono application, on any runtime that Hono supports. */
import { Hono } from 'hono';
import type { HttpHandler } from '@concordat/runtime';
import { fetchTransport } from '@concordat/runtime/fetch';

export function honoApp(engine: HttpHandler, graphql: HttpHandler): Hono {
  const app = new Hono();
  for (const handler of [engine, graphql]) {
    const answer = fetchTransport(handler, { unknownPaths: 'next' });
    app.use(async (context, next) => (await answer(context.req.raw, context)) ?? next());
  }
  app.get('/hello', (context) => context.text('Hello from Hono'));
  return app;
}
