/** The application with all routes moved: koa-body and the old routers are gone. */

import type Koa from 'koa';
import type { Context, Next } from 'koa';
import { koaTransport } from '@concordat/runtime/koa';
import { type AppOptions, createBase } from '../legacy-app/app.js';
import type { AppContext, AppState } from '../legacy-app/types.js';
import { completeTypes } from '../part/complete-types.js';
import { createEngine } from './engine.js';

export function createApp(options?: AppOptions): Koa<AppState, AppContext> {
  const { app, deps } = createBase(options);
  app.use(completeTypes);
  app.use(keepAllowOrder);
  const router = koaTransport(createEngine(deps), { unknownMethods: 'next' });
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

const methods = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The order of the old routes, which the application's clients compare. */
async function keepAllowOrder(ctx: Context, next: Next): Promise<void> {
  await next();
  const allowed = String(ctx.response.headers['allow'] ?? '').split(', ');
  if (allowed.length > 1) ctx.set('Allow', methods.filter((each) => allowed.includes(each)).join(', '));
}
