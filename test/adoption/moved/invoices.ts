/** Invoices: drafts that are changed, sent, paid and voided. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { conflict, notFound } from '../legacy-app/errors.js';
import type { Invoice, InvoiceLine, Job } from '../legacy-app/types.js';
import { Checks } from '../legacy-app/validate.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<
  Operations<Call>,
  | 'listInvoices'
  | 'createInvoice'
  | 'getInvoice'
  | 'updateInvoice'
  | 'deleteInvoice'
  | 'sendInvoice'
  | 'voidInvoice'
  | 'getInvoicePdf'
>;

const perPage = 2;

export function invoiceHandlers({ store, now }: Deps): Handlers {
  function find(id: string): Invoice {
    const invoice = store.invoices.get(id);
    if (invoice === undefined) throw notFound('Invoice');
    return invoice;
  }

  return {
    listInvoices({ query: { page, status = [], 'status[]': others = [], from, to } }) {
      const statuses = [...status, ...others];
      const all = [...store.invoices.values()]
        .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
        .filter(({ issuedOn }) => from === undefined || (issuedOn !== null && issuedOn >= from))
        .filter(({ issuedOn }) => to === undefined || (issuedOn !== null && issuedOn <= to));
      const pages = Math.max(1, Math.ceil(all.length / perPage));
      return {
        status: 200,
        body: {
          data: all.slice((page - 1) * perPage, page * perPage),
          meta: { page, pages, total: all.length },
        },
      };
    },

    createInvoice({ body }) {
      const checks = new Checks(body);
      const customerId = checks.integer('customerId', 1, 999_999_999);
      const lines = readLines(body['lines'] ?? [], checks);
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
      return {
        status: 201,
        headers: { Location: `/invoices/${invoice.id}` },
        body: { ...invoice, customerId },
      };
    },

    getInvoice: ({ path }) => ({ status: 200, body: find(path.id) }),

    updateInvoice({ path, body }) {
      const invoice = find(path.id);
      if (invoice.status !== 'draft') throw conflict('Only drafts can be changed');
      const checks = new Checks(body);
      const lines = body['lines'] === undefined ? invoice.lines : readLines(body['lines'], checks);
      const memo = checks.optionalText('memo', 500);
      checks.done();
      invoice.lines = lines;
      invoice.totalCents = totalOf(lines);
      if (memo !== undefined) invoice.memo = memo;
      return { status: 200, body: invoice };
    },

    deleteInvoice({ path }) {
      const invoice = find(path.id);
      if (invoice.status !== 'draft') throw conflict('Only drafts can be deleted');
      store.invoices.delete(invoice.id);
      return { status: 204 };
    },

    sendInvoice({ path }) {
      const invoice = find(path.id);
      if (invoice.status !== 'draft') throw conflict('The invoice was sent');
      if (invoice.lines.length === 0) throw conflict('The invoice has no lines');
      invoice.status = 'open';
      invoice.issuedOn = dateOf(now());
      invoice.dueOn = dateOf(new Date(now().getTime() + 14 * 86_400_000));
      const job: Job = { id: store.next('job'), kind: 'invoice-mail', status: 'queued' };
      store.jobs.set(job.id, job);
      return {
        status: 202,
        headers: { Location: `/jobs/${String(job.id)}` },
        body: { job: job.id, status: job.status },
      };
    },

    voidInvoice({ path }) {
      const invoice = find(path.id);
      if (invoice.status === 'paid') throw conflict('The invoice is paid');
      invoice.status = 'void';
      return { status: 200, body: { id: invoice.id, status: invoice.status } };
    },

    getInvoicePdf({ path }) {
      const invoice = find(path.id);
      return {
        status: 200,
        headers: { 'Content-Disposition': `attachment; filename="${invoice.id}.pdf"` },
        body: pdfOf(invoice),
      };
    },
  };
}

function readLines(value: unknown, checks: Checks): InvoiceLine[] {
  if (!Array.isArray(value)) {
    checks.note('lines', 'must be a list');
    return [];
  }
  return value.map((line: Partial<InvoiceLine> | null, index) => {
    const { text, quantity, unitPriceCents, sku } = line ?? {};
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
