/** The first operations that are moved: those of customers that the web site needs, and the user's own record. */

import type { CallContext } from '@concordat/runtime';
import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { currentUser } from '../legacy-app/auth.js';
import { conflict, notFound } from '../legacy-app/errors.js';
import type { Ctx, Customer, User } from '../legacy-app/types.js';

/** What every handler gets beside the request: the user, and Koa's context as `host`. */
export type Call = CallContext<User | undefined, Ctx>;

type Handlers = Pick<
  Operations<Call>,
  'getMe' | 'listCustomers' | 'createCustomer' | 'getCustomer' | 'addNote'
>;

export function customerHandlers({ store, now }: Deps): Handlers {
  function find(id: number): Customer {
    const customer = store.customers.get(id);
    if (customer === undefined) throw notFound('Customer');
    return customer;
  }

  return {
    getMe: (_request, { host }) => ({ status: 200, body: currentUser(host) }),

    listCustomers({ query: { page, perPage, status, q, sort } }) {
      const all = [...store.customers.values()]
        .filter((each) => status === undefined || each.status === status)
        .filter((each) => each.name.toLowerCase().includes(q.toLowerCase()));
      if (sort === '-name') all.sort((a, b) => b.name.localeCompare(a.name, 'en'));
      const hasNext = page < Math.ceil(all.length / perPage);
      const next = `</customers?page=${String(page + 1)}&perPage=${String(perPage)}>; rel="next"`;
      return {
        status: 200,
        headers: { 'X-Total-Count': all.length, ...(hasNext && { Link: next }) },
        body: all
          .slice((page - 1) * perPage, page * perPage)
          .map(({ id, name, email, status, tags }) => ({ id, name, email, status, tags })),
      };
    },

    createCustomer({ body }, { host }) {
      const values = customerValues(body);
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
      host.log.info({ customer: customer.id }, 'customer created');
      return { status: 201, headers: { Location: `/customers/${String(customer.id)}` }, body: customer };
    },

    getCustomer({ path, headers }) {
      const customer = find(path.id);
      const etag = etagOf(customer);
      const known = headers['If-None-Match'] === etag;
      return known
        ? { status: 304, headers: { ETag: etag } }
        : { status: 200, headers: { ETag: etag }, body: customer };
    },

    addNote({ path, body }, { host }) {
      const customer = find(path.id);
      const date = now().toISOString().slice(0, 10).split('-').reverse().join('.');
      const author = currentUser(host).name;
      const note = { id: store.next('note'), text: body.text.trim(), author, date };
      store.notes.set(customer.id, [...(store.notes.get(customer.id) ?? []), note]);
      return { status: 200, body: note };
    },
  };
}

export const etagOf = ({ id, version }: Customer): string => `"customer-${String(id)}-${String(version)}"`;

type Values = Pick<Customer, 'name' | 'email' | 'vatNumber' | 'address' | 'tags' | 'phone'>;

/** The members of a new customer, which the engine has checked. */
export function customerValues({
  name,
  email,
  phone,
  vatNumber = null,
  address,
  tags,
}: Parameters<Handlers['createCustomer']>[0]['body']): Values {
  return {
    name: name.trim(),
    email: email.toLowerCase(),
    vatNumber,
    address,
    tags,
    ...(phone !== undefined && { phone: phone.trim() }),
  };
}
