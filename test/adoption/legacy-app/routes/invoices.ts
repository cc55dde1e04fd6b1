/** Invoices: drafts that are changed, sent, paid and voided. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { conflict, notFound } from '../errors.js';
import type { AppContext, AppState, Invoice, InvoiceLine, Job } from '../types.js';
import { Checks, bodyOf, queryDate, queryList, queryNumber } from '../validate.js';

export function invoiceRoutes({ store, now }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/invoices' });

  function find(id: string | undefined): Invoice {
    const invoice = store.invoices.get(id ?? '');
    if (invoice === undefined) throw notFound('Invoice');
    return invoice;
  }

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

  router.get('/:id', requireRole(), (ctx) => {
    ctx.body = find(ctx.params['id']);
  });

  router.patch('/:id', requireRole('staff'), (ctx) => {
    const invoice = find(ctx.params['id']);
    if (invoice.status !== 'draft') throw conflict('Only drafts can be changed');
    const fields = bodyOf(ctx);
    const checks = new Checks(fields);
    const lines = fields['lines'] === undefined ? invoice.lines : readLines(fields['lines'], checks);
    const memo = checks.optionalText('memo', 500);
    checks.done();
    invoice.lines = lines;
    invoice.totalCents = totalOf(lines);
    if (memo !== undefined) invoice.memo = memo;
    ctx.body = invoice;
  });

  router.delete('/:id', requireRole('staff'), (ctx) => {
    const invoice = find(ctx.params['id']);
    if (invoice.status !== 'draft') throw conflict('Only drafts can be deleted');
    store.invoices.delete(invoice.id);
    ctx.status = 204;
  });

  router.post('/:id/send', requireRole('staff'), (ctx) => {
    const invoice = find(ctx.params['id']);
    if (invoice.status !== 'draft') throw conflict('The invoice was sent');
    if (invoice.lines.length === 0) throw conflict('The invoice has no lines');
    invoice.status = 'open';
    invoice.issuedOn = dateOf(now());
    invoice.dueOn = dateOf(new Date(now().getTime() + 14 * 86_400_000));
    const job: Job = { id: store.next('job'), kind: 'invoice-mail', status: 'queued' };
    store.jobs.set(job.id, job);
    ctx.status = 202;
    ctx.set('Location', `/jobs/${String(job.id)}`);
    ctx.body = { job: job.id, status: job.status };
  });

  router.post('/:id/void', requireRole('admin'), (ctx) => {
    const invoice = find(ctx.params['id']);
    if (invoice.status === 'paid') throw conflict('The invoice is paid');
    invoice.status = 'void';
    ctx.body = { id: invoice.id, status: invoice.status };
  });

  router.get('/:id/pdf', requireRole(), (ctx) => {
    const invoice = find(ctx.params['id']);
    ctx.type = 'application/pdf';
    ctx.attachment(`${invoice.id}.pdf`);
    ctx.body = pdfOf(invoice);
  });

  return router;
}

function readLines(value: unknown, checks: Checks): InvoiceLine[] {
  if (!Array.isArray(value)) {
    checks.note('lines', 'must be a list');
    return [];
  }
  return value.map((line: unknown, index) => {
    const { text, quantity, unitPriceCents, sku } = (line ?? {}) as Partial<InvoiceLine>;
    const at = `lines[${String(index)}]`;
    if (typeof text !== 'string' || text === '') checks.note(`${at}.text`, 'must not be empty');
    if (typeof quantity !== 'number' || quantity <= 0) checks.note(`${at}.quantity`, 'must be above 0');
    if (!Number.isInteger(unitPriceCents)) checks.note(`${at}.unitPriceCents`, 'must be a whole number');
    return {
      text: String(text),
      quantity: Number(quantity),
      unitPriceCents: Number(unitPriceCents),
      ...(typeof sku === 'string' && { sku }),
    };
  });
}

const totalOf = (lines: readonly InvoiceLine[]): number =>
  lines.reduce((sum, { quantity, unitPriceCents }) => sum + Math.round(quantity * unitPriceCents), 0);

const dateOf = (date: Date): string => date.toISOString().slice(0, 10);

/** A page with one line of text. */
function pdfOf({ id, totalCents, currency }: Invoice): Buffer {
  const text = `BT /F1 12 Tf 72 720 Td (${id}: ${(totalCents / 100).toFixed(2)} ${currency}) Tj ET`;
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R >> endobj',
      `4 0 obj << /Length ${String(text.length)} >> stream`,
      text,
      'endstream endobj',
      'trailer << /Root 1 0 R >>',
      '%%EOF',
      '',
    ].join('\n'),
    'latin1',
  );
}
