/** A contract and GraphQL in a Koa application with a page of its own. */
import Koa from 'koa';
import type { HttpHandler, RestEngine } from '@concordat/runtime';
import { koaTransport } from '@concordat/runtime/koa';

export function koaApp<Caller>(engine: RestEngine<Caller>, graphql: HttpHandler): Koa {
  const app = new Koa();
  app.use(koaTransport(engine).routes());
  app.use(koaTransport(graphql));
  app.use((context) => {
    if (context.path === '/hello') context.body = 'Hello from Koa';
  });
  return app;
}
