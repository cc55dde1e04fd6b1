/** Payments, refunds, and the webhook of the payment provider. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { AppError, conflict, notFound } from '../legacy-app/errors.js';
import type { Payment } from '../legacy-app/types.js';
import { Checks } from '../legacy-app/validate.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<Operations<Call>, 'createPayment' | 'refundPayment' | 'receivePayment'>;

interface ProviderEvent {
  type?: string;
  data?: { invoice?: string; amount?: number };
}

export function paymentHandlers({ store, now, webhookSecret }: Deps): Handlers {
  function find(id: string): Payment {
    const payment = store.payments.get(id);
    if (payment === undefined) throw notFound('Payment');
    return payment;
  }

  const paidFor = (invoiceId: string): number =>
    [...store.payments.values()]
      .filter((each) => each.invoiceId === invoiceId)
      .reduce((sum, { amount }) => sum + amount, 0);

  return {
    createPayment({ headers: { 'Idempotency-Key': key = '' }, body }) {
      const known = store.payments.get(store.idempotency.get(key) ?? '');
      if (known !== undefined) return { status: 200, headers: { 'Idempotent-Replay': 'true' }, body: known };
      const { amount, method } = body;
      const invoiceId = body.invoiceId.trim();
      const invoice = store.invoices.get(invoiceId);
      if (invoice === undefined) throw new AppError(422, 'UNKNOWN_INVOICE', 'The invoice does not exist');
      if (invoice.status !== 'open') throw conflict('Only open invoices are paid');
      const payment: Payment = {
        id: `pay_${String(store.next('payment')).padStart(4, '0')}`,
        invoiceId,
        amount,
        method,
        ...(body.reference !== undefined && { reference: body.reference.trim() }),
        receivedAt: now().toISOString(),
        refunds: [],
      };
      store.payments.set(payment.id, payment);
      if (key !== '') store.idempotency.set(key, payment.id);
      if (paidFor(invoiceId) >= invoice.totalCents) invoice.status = 'paid';
      return { status: 201, headers: { Location: `/payments/${payment.id}` }, body: payment };
    },

    refundPayment({ path, body }) {
      const payment = find(path.id);
      const checks = new Checks(body);
      const amount = checks.integer('amount', 1, payment.amount);
      const reason = checks.text('reason');
      checks.done();
      const refunded = payment.refunds.reduce((sum, each) => sum + each.amount, 0);
      if (refunded + amount > payment.amount) throw conflict('More than was paid');
      const id = `${payment.id}-r${String(payment.refunds.length + 1)}`;
      payment.refunds.push({ id, amount, reason, createdAt: now().toISOString() });
      return { status: 201, body: payment };
    },

    receivePayment({ headers, body }, { host }) {
      const expected = createHmac('sha256', webhookSecret).update(body).digest();
      const given = Buffer.from(headers['X-Signature'].replace('sha256=', ''), 'hex');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new AppError(401, 'BAD_SIGNATURE', 'The signature does not fit');
      }
      const event = readEvent(Buffer.from(body).toString());
      if (event.type !== 'payment.succeeded') return { status: 202, body: { ignored: event.type ?? null } };
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
      host.log.info({ payment: id }, 'payment by webhook');
      return { status: 204 };
    },
  };
}

function readEvent(text: string): ProviderEvent {
  try {
    const event: ProviderEvent = JSON.parse(text);
    return event;
  } catch {
    throw new AppError(400, 'BAD_REQUEST', 'The event is not JSON');
  }
}
