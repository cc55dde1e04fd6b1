/** The application with all routes moved: koa-body and the old routers are gone. */

import Koa, { type Context, type Next } from 'koa';
import { koaTransport } from '@concordat/runtime/koa';
import { pino } from 'pino';
import type { AppOptions, Deps } from '../legacy-app/app.js';
import { authenticate } from '../legacy-app/auth.js';
import { handleErrors } from '../legacy-app/errors.js';
import { logRequests } from '../legacy-app/logging.js';
import { createStore } from '../legacy-app/store.js';
import type { AppContext, AppState } from '../legacy-app/types.js';
import { completeTypes } from '../part/complete-types.js';
import { createEngine } from './engine.js';

export function createApp({
  logger = pino({ level: process.env['LOG_LEVEL'] ?? 'info' }),
  now = () => new Date(),
  webhookSecret = process.env['WEBHOOK_SECRET'] ?? 'whsec_only_for_development',
}: AppOptions = {}): Koa<AppState, AppContext> {
  const store = createStore();
  const deps: Deps = { store, now, webhookSecret };
  const app = new Koa<AppState, AppContext>();
  app.use(logRequests(logger, store));
  app.use(handleErrors());
  app.use(authenticate(store));
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
