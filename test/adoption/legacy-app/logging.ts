/** Request ids and `ctx.log`. */

import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Store } from './store.js';
import type { AppContext, AppState } from './types.js';

export function logRequests(logger: Logger, store: Store): Middleware<AppState, AppContext> {
  return async (ctx, next) => {
    const given = ctx.get('x-request-id');
    const id = given === '' ? `req-${String(store.next('request')).padStart(6, '0')}` : given;
    ctx.state.requestId = id;
    ctx.log = logger.child({ requestId: id });
    ctx.set('X-Request-Id', id);
    await next();
    ctx.log.info({ method: ctx.method, path: ctx.path, status: ctx.status }, 'request');
  };
}
