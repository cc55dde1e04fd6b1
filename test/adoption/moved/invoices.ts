/** Invoices: a list by pages, and drafts. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { totalOf } from '../legacy-app/formats.js';
import type { Invoice } from '../legacy-app/types.js';
import { Checks, readLines } from '../legacy-app/validate.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<Operations<Call>, 'listInvoices' | 'createInvoice'>;

const perPage = 2;

export function invoiceHandlers({ store }: Deps): Handlers {
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
  };
}
