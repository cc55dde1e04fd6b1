/** Invoices: a list by pages, and drafts. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { totalOf } from '../formats.js';
import type { AppContext, AppState, Invoice } from '../types.js';
import { Checks, bodyOf, queryDate, queryList, queryNumber, readLines } from '../validate.js';

export function invoiceRoutes({ store }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/invoices' });

  // A page is an object here, unlike that of customers.
  router.get('/', requireRole(), (ctx) => {
    const page = queryNumber(ctx, 'page', 1, 10_000);
    const statuses = queryList(ctx, 'status');
    const from = queryDate(ctx, 'from');
    const to = queryDate(ctx, 'to');
    const all = [...store.invoices.values()]
      .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
      .filter(({ issuedOn }) => from === undefined || (issuedOn !== null && issuedOn >= from))
      .filter(({ issuedOn }) => to === undefined || (issuedOn !== null && issuedOn <= to));
    const perPage = 2;
    ctx.body = {
      data: all.slice((page - 1) * perPage, page * perPage),
      meta: { page, pages: Math.max(1, Math.ceil(all.length / perPage)), total: all.length },
    };
  });

  router.post('/', requireRole('staff'), (ctx) => {
    const fields = bodyOf(ctx);
    const checks = new Checks(fields);
    const customerId = checks.integer('customerId', 1, 999_999_999);
    const lines = readLines(fields['lines'] ?? [], checks);
    const memo = checks.optionalText('memo', 500);
    if (!store.customers.has(customerId)) checks.note('customerId', 'is not a customer');
    checks.done();
    const invoice: Invoice = {
      id: `INV-${String(store.next('invoice'))}`,
      customerId: String(customerId),
      status: 'draft',
      currency: 'EUR',
      lines,
      totalCents: totalOf(lines),
      issuedOn: null,
      dueOn: null,
      ...(memo !== undefined && { memo }),
    };
    store.invoices.set(invoice.id, invoice);
    ctx.status = 201;
    ctx.set('Location', `/invoices/${invoice.id}`);
    // The customer's id is a number in this answer alone.
    ctx.body = { ...invoice, customerId };
  });

  return router;
}
