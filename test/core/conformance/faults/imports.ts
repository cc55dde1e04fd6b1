/** Stores that break a rule of imports. */
import type { ImportedUser } from '../../../../src/core/ports/import-store.js';
import type { Faults } from './fault.js';

async function* mapped<T>(records: AsyncIterable<T>, change: (record: T) => T): AsyncGenerator<T> {
  for await (const record of records) yield change(record);
}

async function all<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const gathered: T[] = [];
  for await (const record of records) gathered.push(record);
  return gathered;
}

async function* each<T>(records: readonly T[]): AsyncGenerator<T> {
  for (const record of records) yield await Promise.resolve(record);
}

export const importFaults: Faults = {
  'an import is stored record by record': [
    ['imports-users-taken', 'imports-broken-off', 'imports-apart'],
    ({ users, imports }) => {
      imports.users = async (records) => {
        let position = 0;
        for await (const { createdAt, ...user } of records) {
          if ((await users.create(user, createdAt)) === 'email-taken')
            return { position, reason: 'email-taken' };
          position++;
        }
        return position;
      };
    },
  ],
  'imported users lose their passwords': [
    ['imports-users'],
    ({ imports }) => {
      const users = imports.users.bind(imports);
      imports.users = (records) =>
        users(mapped<ImportedUser>(records, (user) => ({ ...user, passwordHash: undefined })));
    },
  ],
  'imported users were all made now': [
    ['imports-users'],
    ({ imports }) => {
      const users = imports.users.bind(imports);
      const now = '2026-06-01T00:00:00.000000Z';
      imports.users = (records) =>
        users(mapped(records, (user) => ({ ...user, createdAt: now, updatedAt: now })));
    },
  ],
  'imports are stored in another order': [
    ['imports-users', 'imports-products', 'imports-orders'],
    ({ imports }) => {
      const [users, products, orders] = [
        imports.users.bind(imports),
        imports.products.bind(imports),
        imports.orders.bind(imports),
      ];
      imports.users = async (records) => await users(each((await all(records)).toReversed()));
      imports.products = async (records) => await products(each((await all(records)).toReversed()));
      imports.orders = async (records) => await orders(each((await all(records)).toReversed()));
    },
  ],
  'imported products are in no category': [
    ['imports-products'],
    ({ imports }) => {
      const products = imports.products.bind(imports);
      imports.products = (records) =>
        products(mapped(records, (product) => ({ ...product, categories: [] })));
    },
  ],
  'imported products have categories of their own': [
    ['imports-products'],
    ({ imports }) => {
      const products = imports.products.bind(imports);
      imports.products = (records) =>
        products(
          mapped(records, (product) => ({
            ...product,
            categories: product.categories.map((name) => (name === 'All' ? 'All ' : name)),
          })),
        );
    },
  ],
  'imported orders are all new': [
    ['imports-orders'],
    ({ imports }) => {
      const orders = imports.orders.bind(imports);
      imports.orders = (records) => orders(mapped(records, (order) => ({ ...order, status: 'pending' })));
    },
  ],
  'orders of nobody are left out': [
    ['imports-orders-user'],
    ({ users, imports }) => {
      const orders = imports.orders.bind(imports);
      imports.orders = async (records) => {
        const read = await all(records);
        const owners = await users.findMany(read.map(({ userId }) => userId));
        return await orders(each(read.filter((_, index) => owners[index] !== undefined)));
      };
    },
  ],
  'the first order of nobody is counted from 1': [
    ['imports-orders-user'],
    ({ imports }) => {
      const orders = imports.orders.bind(imports);
      imports.orders = async (records) => {
        const outcome = await orders(records);
        return typeof outcome === 'number' ? outcome : { ...outcome, position: outcome.position + 1 };
      };
    },
  ],
  'what was read before the reading failed is stored': [
    ['imports-broken-off'],
    ({ imports }) => {
      const users = imports.users.bind(imports);
      imports.users = async (records) => {
        const read: ImportedUser[] = [];
        try {
          for await (const user of records) read.push(user);
        } catch (error) {
          await users(each(read));
          throw error;
        }
        return await users(each(read));
      };
    },
  ],
  'an import of nothing is an error': [
    ['imports-nothing'],
    ({ imports }) => {
      const products = imports.products.bind(imports);
      imports.products = async (records) => {
        const read = await all(records);
        if (read.length === 0) throw new Error('values () is no SQL');
        return await products(each(read));
      };
    },
  ],
  'somebody sees a part of an import': [
    ['imports-apart'],
    ({ users, imports }) => {
      let read = 0;
      const importUsers = imports.users.bind(imports);
      imports.users = (records) =>
        importUsers(
          mapped(records, (user) => {
            read += 1;
            return user;
          }),
        );
      const count = users.count.bind(users);
      users.count = async (filter) => Math.max(read, await count(filter));
    },
  ],
};
