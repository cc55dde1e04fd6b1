/** Reports for the accountant, exports, jobs and the search. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { notFound } from '../legacy-app/errors.js';
import { csv } from '../legacy-app/formats.js';
import type { Customer, Job } from '../legacy-app/types.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<
  Operations<Call>,
  'getRevenue' | 'startExport' | 'exportCustomers' | 'getJob' | 'search'
>;

export const reportHandlers = ({ store }: Deps): Handlers => ({
  getRevenue({ query: { from = '0000-00-00', to = '9999-99-99', format } }) {
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
    if (format === 'json') return { status: 200, contentType: 'application/json', body: { rows } };
    return {
      status: 200,
      contentType: 'text/csv',
      headers: { 'Content-Disposition': 'attachment; filename="revenue.csv"' },
      body: csv([
        ['month', 'invoices', 'total'],
        ...rows.map((row) => [row.month, row.invoices, row.total.toFixed(2)]),
      ]),
    };
  },

  startExport({ body }) {
    const job: Job = { id: store.next('job'), kind: `export-${body.kind}`, status: 'queued' };
    store.jobs.set(job.id, job);
    return {
      status: 202,
      headers: { Location: `/jobs/${String(job.id)}`, 'Retry-After': '1' },
      body: { job: job.id, status: job.status },
    };
  },

  exportCustomers: () => ({ status: 200, body: linesOf([...store.customers.values()]) }),

  // There is no worker: each look at a job does its next step.
  getJob({ path }) {
    const job = store.jobs.get(path.id);
    if (job === undefined) throw notFound('Job');
    if (job.status === 'queued') job.status = 'running';
    else if (job.status === 'running') {
      job.status = 'done';
      if (job.kind === 'export-customers') job.resultUrl = '/exports/customers.ndjson';
    }
    return { status: 200, body: job };
  },

  search({ query: { q, type = [], 'type[]': others = [], limit } }) {
    const text = q.toLowerCase();
    const types = [...type, ...others];
    const hits = [
      ...[...store.customers.values()].map(
        ({ id, name, email }) => ({ type: 'customer', id, title: name, email }) as const,
      ),
      ...[...store.products.values()].map(
        ({ sku, name, price }) => ({ type: 'product', id: sku, title: name, price }) as const,
      ),
    ].filter(
      (each) => (types.length === 0 || types.includes(each.type)) && each.title.toLowerCase().includes(text),
    );
    return { status: 200, body: { query: text, count: hits.length, hits: hits.slice(0, limit) } };
  },
});

async function* linesOf(customers: readonly Customer[]) {
  for (const { id, name, email, createdAt } of customers) yield { id, name, email, createdAt };
}
