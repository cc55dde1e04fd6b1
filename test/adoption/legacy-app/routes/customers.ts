/** Customers and the notes about them. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { currentUser, requireRole } from '../auth.js';
import { AppError, conflict, notFound } from '../errors.js';
import type { Address, AppContext, AppState, Customer } from '../types.js';
import { Checks, type Fields, bodyOf, numericId, queryNumber, queryText } from '../validate.js';

const statuses = ['active', 'blocked'] as const;

export function customerRoutes({ store, now }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/customers' });

  function find(id: string | undefined): Customer {
    const customer = store.customers.get(numericId(id));
    if (customer === undefined) throw notFound('Customer');
    return customer;
  }

  // A page is a plain list; the rest is in headers.
  router.get('/', requireRole(), (ctx) => {
    const page = queryNumber(ctx, 'page', 1, 10_000);
    const perPage = queryNumber(ctx, 'perPage', 20, 100);
    const status = queryText(ctx, 'status');
    const text = queryText(ctx, 'q')?.toLowerCase() ?? '';
    const all = [...store.customers.values()]
      .filter((each) => status === undefined || each.status === status)
      .filter((each) => each.name.toLowerCase().includes(text));
    if (queryText(ctx, 'sort') === '-name') all.sort((a, b) => b.name.localeCompare(a.name, 'en'));
    const last = Math.max(1, Math.ceil(all.length / perPage));
    ctx.set('X-Total-Count', String(all.length));
    if (page < last)
      ctx.set('Link', `</customers?page=${String(page + 1)}&perPage=${String(perPage)}>; rel="next"`);
    ctx.body = all
      .slice((page - 1) * perPage, page * perPage)
      .map(({ id, name, email, status, tags }) => ({ id, name, email, status, tags }));
  });

  router.post('/', requireRole('staff'), (ctx) => {
    const values = readCustomer(bodyOf(ctx));
    if ([...store.customers.values()].some(({ email }) => email === values.email)) {
      throw conflict('A customer has this e-mail address');
    }
    const at = now().toISOString();
    const customer: Customer = {
      id: store.next('customer'),
      ...values,
      status: 'active',
      createdAt: at,
      updatedAt: at,
      version: 1,
    };
    store.customers.set(customer.id, customer);
    ctx.log.info({ customer: customer.id }, 'customer created');
    ctx.status = 201;
    ctx.set('Location', `/customers/${String(customer.id)}`);
    ctx.body = customer;
  });

  router.get('/:id', requireRole(), (ctx) => {
    const customer = find(ctx.params['id']);
    ctx.status = 200;
    ctx.etag = etagOf(customer);
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.body = customer;
  });

  router.put('/:id', requireRole('staff'), (ctx) => {
    const customer = find(ctx.params['id']);
    checkVersion(ctx.get('if-match'), customer);
    Object.assign(customer, readCustomer(bodyOf(ctx)));
    touch(customer);
    ctx.etag = etagOf(customer);
    ctx.body = customer;
  });

  router.patch('/:id', requireRole('staff'), (ctx) => {
    const customer = find(ctx.params['id']);
    checkVersion(ctx.get('if-match'), customer);
    const fields = bodyOf(ctx);
    const checks = new Checks(fields);
    const name = checks.optionalText('name', 120);
    const status = fields['status'] === undefined ? undefined : checks.oneOf('status', statuses);
    const tags = fields['tags'] === undefined ? undefined : checks.texts('tags');
    checks.done();
    if (name !== undefined) customer.name = name;
    if (status !== undefined) customer.status = status;
    if (tags !== undefined) customer.tags = tags;
    if (fields['phone'] === null) delete customer.phone;
    touch(customer);
    ctx.etag = etagOf(customer);
    ctx.body = customer;
  });

  router.delete('/:id', requireRole('admin'), (ctx) => {
    const customer = find(ctx.params['id']);
    const isBilled = [...store.invoices.values()].some(
      ({ customerId }) => customerId === String(customer.id),
    );
    if (isBilled) throw conflict('The customer has invoices');
    store.customers.delete(customer.id);
    ctx.status = 204;
  });

  router.get('/:id/notes', requireRole(), (ctx) => {
    ctx.body = store.notes.get(find(ctx.params['id']).id) ?? [];
  });

  // Answers 200: the desktop client takes 201 for an error.
  router.post('/:id/notes', requireRole('staff'), (ctx) => {
    const customer = find(ctx.params['id']);
    const checks = new Checks(bodyOf(ctx));
    const text = checks.text('text', 2000);
    checks.done();
    const date = now().toISOString().slice(0, 10).split('-').reverse().join('.');
    const note = { id: store.next('note'), text, author: currentUser(ctx).name, date };
    store.notes.set(customer.id, [...(store.notes.get(customer.id) ?? []), note]);
    ctx.body = note;
  });

  function touch(customer: Customer): void {
    customer.updatedAt = now().toISOString();
    customer.version += 1;
  }

  return router;
}

const etagOf = ({ id, version }: Customer): string => `"customer-${String(id)}-${String(version)}"`;

function checkVersion(expected: string, customer: Customer): void {
  if (expected !== '' && expected !== '*' && expected !== etagOf(customer)) {
    throw new AppError(412, 'STALE', 'The customer was changed by somebody else');
  }
}

function readCustomer(
  fields: Fields,
): Pick<Customer, 'name' | 'email' | 'vatNumber' | 'address' | 'tags' | 'phone'> {
  const checks = new Checks(fields);
  const name = checks.text('name', 120);
  const email = checks.email('email');
  const phone = checks.optionalText('phone', 30);
  const vatNumber = fields['vatNumber'] === null ? null : (checks.optionalText('vatNumber', 20) ?? null);
  const tags = checks.texts('tags');
  const address = readAddress(fields['address'], checks);
  checks.done();
  return { name, email, vatNumber, address, tags, ...(phone !== undefined && { phone }) };
}

function readAddress(value: unknown, checks: Checks): Address {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Partial<Address>;
  const { street = '', zip = '', city = '', country = 'DE' } = fields;
  if (street === '') checks.note('address.street', 'must not be empty');
  if (city === '') checks.note('address.city', 'must not be empty');
  return { street, zip, city, country };
}
