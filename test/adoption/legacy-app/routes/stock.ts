/** The warehouse: what is on hand, and what moves. Scanners call it with their key. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { actorOf, requireScannerOrStaff } from '../auth.js';
import { conflict, notFound } from '../errors.js';
import type { AppContext, AppState, StockItem } from '../types.js';
import { Checks, bodyOf } from '../validate.js';

export function stockRoutes({ store, now }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/stock' });
  router.use(requireScannerOrStaff);

  function find(sku: string | undefined): StockItem {
    const item = store.stock.get(sku ?? '');
    if (item === undefined) throw notFound('Stock');
    return item;
  }

  router.get('/', (ctx) => {
    const items = [...store.stock.values()];
    // An object by SKU, and not a list.
    ctx.body = Object.fromEntries(items.map(({ sku, onHand, reserved }) => [sku, onHand - reserved]));
  });

  router.post('/:sku/movements', (ctx) => {
    const item = find(ctx.params['sku']);
    const checks = new Checks(bodyOf(ctx));
    const delta = checks.integer('delta', -10_000, 10_000);
    const reason = checks.text('reason', 60);
    checks.done();
    if (item.onHand + delta < item.reserved) throw conflict('Not enough stock');
    item.onHand += delta;
    if (reason === 'count') item.lastCountedAt = now().toISOString();
    const movement = {
      id: store.next('movement'),
      sku: item.sku,
      delta,
      reason,
      by: actorOf(ctx),
      at: now().toISOString(),
    };
    store.movements.push(movement);
    ctx.status = 201;
    ctx.body = { movement, onHand: item.onHand };
  });

  return router;
}
