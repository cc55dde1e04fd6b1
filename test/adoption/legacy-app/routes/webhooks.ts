/** What the payment provider calls. It reads the body itself, because the signature is over its bytes. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { AppError } from '../errors.js';
import type { AppContext, AppState } from '../types.js';

interface ProviderEvent {
  type?: string;
  data?: { invoice?: string; amount?: number };
}

export function webhookRoutes({ store, now, webhookSecret }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/webhooks' });

  router.post('/payments', async (ctx) => {
    const pieces: Buffer[] = [];
    for await (const piece of ctx.req as AsyncIterable<Buffer>) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const expected = createHmac('sha256', webhookSecret).update(body).digest();
    const given = Buffer.from(ctx.get('x-signature').replace('sha256=', ''), 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new AppError(401, 'BAD_SIGNATURE', 'The signature does not fit');
    }
    let event: ProviderEvent;
    try {
      event = JSON.parse(body.toString()) as ProviderEvent;
    } catch {
      throw new AppError(400, 'BAD_REQUEST', 'The event is not JSON');
    }
    if (event.type !== 'payment.succeeded') {
      ctx.status = 202;
      ctx.body = { ignored: event.type ?? null };
      return;
    }
    const invoice = store.invoices.get(event.data?.invoice ?? '');
    if (invoice === undefined) throw new AppError(422, 'UNKNOWN_INVOICE', 'The invoice does not exist');
    const id = `pay_${String(store.next('payment')).padStart(4, '0')}`;
    store.payments.set(id, {
      id,
      invoiceId: invoice.id,
      amount: event.data?.amount ?? invoice.totalCents,
      method: 'card',
      receivedAt: now().toISOString(),
      refunds: [],
    });
    invoice.status = 'paid';
    ctx.log.info({ payment: id }, 'payment by webhook');
    ctx.status = 204;
  });

  return router;
}
