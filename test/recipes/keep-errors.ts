/** An engine in a Koa application that writes all errors in a format of its own. */
import Koa from 'koa';
import { HttpError } from 'koa';
import { Problem, type RestEngine } from '@concordat/runtime';
import { koaTransport } from '@concordat/runtime/koa';

export function appWithErrors<Caller>(engine: RestEngine<Caller>): Koa {
  const app = new Koa();
  app.use(async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof HttpError || error instanceof Problem)) throw error;
      context.status = error.status;
      context.set(error.headers ?? {});
      context.body = { error: error.expose ? error.message : 'Something went wrong' };
    }
  });
  app.use(koaTransport(engine, { refusals: 'throw' }).routes());
  app.use((context) => context.throw(404, 'There is no such page'));
  return app;
}
