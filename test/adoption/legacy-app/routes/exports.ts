/** Work that takes longer: exports, jobs, and a stream of all customers. */

import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { notFound } from '../errors.js';
import type { AppContext, AppState, Customer, Job } from '../types.js';
import { Checks, bodyOf, numericId } from '../validate.js';

export function exportRoutes({ store }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>();

  router.post('/exports', requireRole('staff'), (ctx) => {
    const checks = new Checks(bodyOf(ctx));
    const kind = checks.oneOf('kind', ['customers', 'invoices']) ?? 'customers';
    checks.done();
    const job: Job = { id: store.next('job'), kind: `export-${kind}`, status: 'queued' };
    store.jobs.set(job.id, job);
    ctx.status = 202;
    ctx.set('Location', `/jobs/${String(job.id)}`);
    ctx.set('Retry-After', '1');
    ctx.body = { job: job.id, status: job.status };
  });

  // There is no worker: each look at a job does its next step.
  router.get('/jobs/:id', requireRole(), (ctx) => {
    const job = store.jobs.get(numericId(ctx.params['id']));
    if (job === undefined) throw notFound('Job');
    if (job.status === 'queued') job.status = 'running';
    else if (job.status === 'running') {
      job.status = 'done';
      if (job.kind === 'export-customers') job.resultUrl = '/exports/customers.ndjson';
    }
    ctx.body = job;
  });

  router.get('/exports/customers.ndjson', requireRole('staff'), (ctx) => {
    ctx.type = 'application/x-ndjson';
    ctx.body = Readable.from(linesOf([...store.customers.values()]));
  });

  return router;
}

function* linesOf(customers: readonly Customer[]): Generator<string> {
  for (const { id, name, email, createdAt } of customers) {
    yield `${JSON.stringify({ id, name, email, createdAt })}\n`;
  }
}
