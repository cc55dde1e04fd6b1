/** Payments and refunds. The form of the front desk sends them url-encoded, the shop as JSON. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { AppError, conflict, notFound } from '../errors.js';
import type { AppContext, AppState, Payment } from '../types.js';
import { Checks, bodyOf } from '../validate.js';

const methods = ['card', 'transfer', 'cash'] as const;

export function paymentRoutes({ store, now }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/payments' });

  function find(id: string | undefined): Payment {
    const payment = store.payments.get(id ?? '');
    if (payment === undefined) throw notFound('Payment');
    return payment;
  }

  router.post('/', requireRole('staff'), (ctx) => {
    const key = ctx.get('idempotency-key');
    const known = store.payments.get(store.idempotency.get(key) ?? '');
    if (known !== undefined) {
      ctx.set('Idempotent-Replay', 'true');
      ctx.body = known;
      return;
    }
    const fields = bodyOf(ctx);
    // Forms have only texts.
    if (typeof fields['amount'] === 'string') fields['amount'] = Number(fields['amount']);
    const checks = new Checks(fields);
    const invoiceId = checks.text('invoiceId', 20);
    const amount = checks.integer('amount', 1, 100_000_000);
    const method = checks.oneOf('method', methods) ?? 'cash';
    const reference = checks.optionalText('reference', 40);
    checks.done();
    const invoice = store.invoices.get(invoiceId);
    if (invoice === undefined) throw new AppError(422, 'UNKNOWN_INVOICE', 'The invoice does not exist');
    if (invoice.status !== 'open') throw conflict('Only open invoices are paid');
    const payment: Payment = {
      id: `pay_${String(store.next('payment')).padStart(4, '0')}`,
      invoiceId,
      amount,
      method,
      ...(reference !== undefined && { reference }),
      receivedAt: now().toISOString(),
      refunds: [],
    };
    store.payments.set(payment.id, payment);
    if (key !== '') store.idempotency.set(key, payment.id);
    if (paidFor(invoiceId) >= invoice.totalCents) invoice.status = 'paid';
    ctx.status = 201;
    ctx.set('Location', `/payments/${payment.id}`);
    ctx.body = payment;
  });

  router.post('/:id/refunds', requireRole('admin'), (ctx) => {
    const payment = find(ctx.params['id']);
    const checks = new Checks(bodyOf(ctx));
    const amount = checks.integer('amount', 1, payment.amount);
    const reason = checks.text('reason');
    checks.done();
    const refunded = payment.refunds.reduce((sum, each) => sum + each.amount, 0);
    if (refunded + amount > payment.amount) throw conflict('More than was paid');
    const id = `${payment.id}-r${String(payment.refunds.length + 1)}`;
    payment.refunds.push({ id, amount, reason, createdAt: now().toISOString() });
    ctx.status = 201;
    ctx.body = payment;
  });

  function paidFor(invoiceId: string): number {
    return [...store.payments.values()]
      .filter((each) => each.invoiceId === invoiceId)
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  return router;
}
