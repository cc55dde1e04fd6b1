/** The operations of customers and their notes that follow the first ones. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { AppError, conflict, notFound } from '../legacy-app/errors.js';
import type { Customer } from '../legacy-app/types.js';
import { type Call, customerValues, etagOf } from '../part/customers.js';

type Handlers = Pick<Operations<Call>, 'replaceCustomer' | 'updateCustomer' | 'deleteCustomer' | 'listNotes'>;

export function customerHandlers({ store, now }: Deps): Handlers {
  function find(id: number): Customer {
    const customer = store.customers.get(id);
    if (customer === undefined) throw notFound('Customer');
    return customer;
  }

  function checkVersion(expected: string | undefined, customer: Customer): void {
    if (expected !== undefined && expected !== '*' && expected !== etagOf(customer)) {
      throw new AppError(412, 'STALE', 'The customer was changed by somebody else');
    }
  }

  function touch(customer: Customer): void {
    customer.updatedAt = now().toISOString();
    customer.version += 1;
  }

  return {
    replaceCustomer({ path, headers, body }) {
      const customer = find(path.id);
      checkVersion(headers['If-Match'], customer);
      Object.assign(customer, customerValues(body));
      touch(customer);
      return { status: 200, headers: { ETag: etagOf(customer) }, body: customer };
    },

    updateCustomer({ path, headers, body: { name, status, tags, phone } }) {
      const customer = find(path.id);
      checkVersion(headers['If-Match'], customer);
      if (name !== undefined) customer.name = name.trim();
      if (status !== undefined) customer.status = status;
      if (tags !== undefined) customer.tags = tags;
      if (phone === null) delete customer.phone;
      touch(customer);
      return { status: 200, headers: { ETag: etagOf(customer) }, body: customer };
    },

    deleteCustomer({ path }) {
      const { id } = find(path.id);
      if ([...store.invoices.values()].some(({ customerId }) => customerId === String(id))) {
        throw conflict('The customer has invoices');
      }
      store.customers.delete(id);
      return { status: 204 };
    },

    listNotes: ({ path }) => ({ status: 200, body: store.notes.get(find(path.id).id) ?? [] }),
  };
}
