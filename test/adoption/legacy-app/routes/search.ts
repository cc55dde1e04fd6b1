/** The search box: one list of hits of several kinds. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { AppError } from '../errors.js';
import type { AppContext, AppState } from '../types.js';
import { queryList, queryNumber, queryText } from '../validate.js';

type Hit =
  | { type: 'customer'; id: number; title: string; email: string }
  | { type: 'product'; id: string; title: string; price: string };

export function searchRoutes({ store }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>();

  router.get('/search', requireRole(), (ctx) => {
    const text = queryText(ctx, 'q')?.toLowerCase();
    if (text === undefined) throw new AppError(400, 'BAD_QUERY', 'q is missing');
    const types = queryList(ctx, 'type');
    const limit = queryNumber(ctx, 'limit', 10, 50);
    const hits: Hit[] = [
      ...[...store.customers.values()].map(({ id, name, email }): Hit => ({
        type: 'customer',
        id,
        title: name,
        email,
      })),
      ...[...store.products.values()].map(({ sku, name, price }): Hit => ({
        type: 'product',
        id: sku,
        title: name,
        price,
      })),
    ].filter(
      ({ type, title }) => (types.length === 0 || types.includes(type)) && title.toLowerCase().includes(text),
    );
    ctx.body = { query: text, count: hits.length, hits: hits.slice(0, limit) };
  });

  return router;
}
