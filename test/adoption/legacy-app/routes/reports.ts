/** Reports for the accountant, as CSV. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { csv } from '../formats.js';
import type { AppContext, AppState } from '../types.js';
import { queryDate, queryText } from '../validate.js';

export function reportRoutes({ store }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/reports' });

  // CSV, unless JSON is asked for.
  router.get('/revenue', requireRole('staff'), (ctx) => {
    const from = queryDate(ctx, 'from') ?? '0000-00-00';
    const to = queryDate(ctx, 'to') ?? '9999-99-99';
    const months = new Map<string, { month: string; invoices: number; total: number }>();
    for (const { issuedOn, totalCents, status } of store.invoices.values()) {
      if (issuedOn === null || status === 'void' || issuedOn < from || issuedOn > to) continue;
      const month = issuedOn.slice(0, 7);
      const row = months.get(month) ?? { month, invoices: 0, total: 0 };
      row.invoices += 1;
      row.total += totalCents / 100;
      months.set(month, row);
    }
    const rows = [...months.values()].sort((a, b) => a.month.localeCompare(b.month));
    if (queryText(ctx, 'format') === 'json') {
      ctx.body = { rows };
      return;
    }
    ctx.type = 'text/csv';
    ctx.attachment('revenue.csv');
    ctx.body = csv([
      ['month', 'invoices', 'total'],
      ...rows.map((row) => [row.month, row.invoices, row.total.toFixed(2)]),
    ]);
  });

  return router;
}
