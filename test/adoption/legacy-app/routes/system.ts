/** Probes, and where the manual is. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import type { AppContext, AppState } from '../types.js';

export function systemRoutes({ now }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>();

  router.get('/health', (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { status: 'ok', version: '4.2.0', time: now().toISOString() };
  });

  router.get('/docs', (ctx) => {
    ctx.redirect('https://manual.lantern.example/api');
  });

  return router;
}
