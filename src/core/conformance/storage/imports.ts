/** The checks of imports, which store many records at once. */
import assert from 'node:assert/strict';
import type { Order } from '../../model/order.js';
import type { ImportedOrder, ImportedProduct, ImportedUser } from '../../ports/import-store.js';
import type { Stores } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { everyOrder } from '../../ports/order-store.js';
import { storeChecks } from '../store-checks.js';
import {
  addUser,
  addUsers,
  ascending,
  at,
  idsOf,
  newItem,
  newOrder,
  newUser,
  readAll,
  start,
  taken,
} from '../samples.js';

/** More records than a store writes at once. */
const many = 250;

const importedUser = (number: number, email?: string): ImportedUser => ({
  ...newUser(number, email === undefined ? {} : { email }),
  createdAt: at(1),
  updatedAt: at(2),
});

const importedOrder = (userId: string, fields: Partial<ImportedOrder> = {}): ImportedOrder => ({
  ...newOrder(userId),
  status: 'completed',
  createdAt: at(1),
  updatedAt: at(2),
  ...fields,
});

async function* each<T>(records: Iterable<T>): AsyncGenerator<T> {
  for (const record of records) yield await Promise.resolve(record);
}

/** Makes `count` records, each when it is read. */
function* made<T>(count: number, make: (number: number) => T): Generator<T> {
  for (let number = 1; number <= count; number++) yield make(number);
}

function without<T extends object, Key extends keyof T>(record: T, key: Key): Omit<T, Key> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key)) as Omit<T, Key>;
}

const allUsers = ({ users }: Pick<Stores, 'users'>) => readAll((slice) => users.list(everyUser, slice), 500);
const allOrders = ({ orders }: Pick<Stores, 'orders'>) =>
  readAll((slice) => orders.list(everyOrder, slice), 500);
const allProducts = ({ products }: Pick<Stores, 'products'>) => readAll((slice) => products.list(slice), 500);

export const importChecks = [
  ...storeChecks(['imports', 'users'], {
    'imports-users: users are stored unchanged, in the given order': async (storage) => {
      const { id } = await addUser(storage, 0);
      const hashed = {
        ...importedUser(many + 1),
        passwordHash: 'hash',
        city: 'Paris',
        role: 'admin',
      } as const;
      const records = [...made(many, importedUser), hashed];
      assert.equal(await storage.imports.users(each(records)), records.length);
      const [first, ...stored] = await allUsers(storage);
      assert.equal(first?.id, id);
      assert.deepEqual(
        stored.map((user) => without(user, 'id')),
        records.map((user: ImportedUser) => ({
          ...without(user, 'passwordHash'),
          sessionsFrom: undefined,
          version: 1,
        })),
      );
      assert.equal(await storage.users.count(everyUser), records.length + 1);
      assert.equal(await storage.users.count({ ...everyUser, role: 'admin', city: 'Paris' }), 1);
      assert.equal((await storage.users.findCredentials(hashed.email))?.passwordHash, 'hash');
    },

    'imports-users-taken: when a user has an email in use, no user is stored, and the first such user is named':
      async (storage) => {
        await addUser(storage, 0, { email: 'Taken@example.com' });
        const taken = (position: number, email: string) =>
          made(many, (number) => importedUser(number, number === position + 1 ? email : undefined));
        for (const [position, email] of [
          [0, 'taken@example.com'],
          [210, 'TAKEN@example.com'],
          [many - 1, 'USER7@example.com'], // the email of a user before it
        ] as const) {
          const outcome = await storage.imports.users(each(taken(position, email)));
          assert.deepEqual(outcome, { position, reason: 'email-taken' });
          assert.equal(await storage.users.count(everyUser), 1);
        }
        assert.equal((await allUsers(storage)).length, 1);
      },
  }),

  ...storeChecks(['imports', 'products'], {
    'imports-products: products are stored in the given order, with their categories': async (storage) => {
      const product = (number: number): ImportedProduct => ({
        name: `Product ${number}`,
        description: number % 2 === 0 ? `Of kind ${number % 7}` : undefined,
        priceCents: number,
        categories: number % 5 === 0 ? [] : [`Kind ${number % 7}`, 'All'],
      });
      const known = await storage.products.create({ description: undefined, name: 'First', priceCents: 1 });
      await storage.products.setCategories(known.id, ['All']);
      const records = [...made(many, product)];
      assert.equal(await storage.imports.products(each(records)), many);
      const [, ...stored] = await allProducts(storage);
      assert.deepEqual(
        stored.map((product) => without(product, 'id')),
        records.map((record) => ({ ...without(record, 'categories'), version: 1 })),
      );
      for (const index of [0, 3, 4, many - 1]) {
        const categories = taken(await storage.products.listCategories(stored[index]?.id ?? ''));
        const names = categories.map(({ name }) => name).sort();
        assert.deepEqual(names, [...(records[index]?.categories ?? [])].sort());
        assert.deepEqual(idsOf(categories), ascending(idsOf(categories)));
      }
      const [all] = taken(await storage.products.listCategories(known.id));
      const again = taken(await storage.products.listCategories(stored[0]?.id ?? ''));
      assert.ok(idsOf(again).includes(all?.id ?? ''), 'a category that exists is used again');
    },
  }),

  ...storeChecks(['imports', 'orders', 'users'], {
    'imports-orders: orders are stored in the given order, with their status': async (storage) => {
      const users = idsOf(await addUsers(storage, 3));
      const userOf = (number: number) => users[number % 3] ?? '';
      const order = (number: number): ImportedOrder => {
        const items = [
          ...made(1 + (number % 4), (item) => newItem({ name: `Item ${item}`, quantity: item })),
        ];
        return importedOrder(userOf(number), {
          items,
          totalCents: number,
          status: number % 2 ? 'pending' : 'refunded',
        });
      };
      const records = [...made(many, order)];
      assert.equal(await storage.imports.orders(each(records)), many);
      const stored = await allOrders(storage);
      assert.deepEqual(
        stored.map((order) => ({
          ...without(order, 'id'),
          items: order.items.map((item) => without(item, 'id')),
        })),
        records.map((record) => ({ ...record, version: 1 })),
      );
      assert.equal(await storage.orders.count(everyOrder), many);
      const [first] = stored as [Order];
      const change = { items: [newItem({ name: 'Other', unitPriceCents: 1 })], totalCents: 1 };
      const condition = { status: first.status, version: undefined };
      const changed = taken(await storage.orders.update(first.id, change, condition, at(3)));
      assert.ok(!idsOf(first.items).includes(changed.items[0]?.id ?? ''), 'an item id is never used again');
    },

    'imports-orders-user: when an order has no existing user, no order is stored, and the first such order is named':
      async (storage) => {
        const { id } = await addUser(storage, 1);
        for (const nobody of ['99', 'abc', '']) {
          const orders = made(many, (number) => importedOrder(number === 206 ? nobody : id));
          const outcome = await storage.imports.orders(each(orders));
          assert.deepEqual(outcome, { position: 205, reason: 'user-not-found' });
        }
        assert.equal(await storage.orders.count(everyOrder), 0);
        assert.deepEqual(await allOrders(storage), []);
      },
  }),

  ...storeChecks(['imports', 'users'], {
    'imports-broken-off: nothing is stored when the reading fails': async (storage) => {
      async function* broken() {
        yield* each(made(many, importedUser));
        throw new Error('the file ends here');
      }
      await assert.rejects(storage.imports.users(broken()), { message: 'the file ends here' });
      assert.equal(await storage.users.count(everyUser), 0);
      assert.deepEqual(await allUsers(storage), []);
      assert.equal(await storage.imports.users(each(made(2, importedUser))), 2);
    },
  }),

  ...storeChecks(['imports'], {
    'imports-nothing: an empty import succeeds': async ({ imports }) => {
      assert.equal(await imports.users(each([])), 0);
      assert.equal(await imports.products(each([])), 0);
      assert.equal(await imports.orders(each([])), 0);
    },
  }),

  ...storeChecks(['imports', 'users'], {
    'imports-apart: other callers never see a part of an import': async (storage) => {
      async function* watched() {
        for (const user of made(many, importedUser)) {
          yield user;
          if (user.email !== 'user230@example.com') continue;
          assert.equal(await storage.users.count(everyUser), 0);
          assert.deepEqual(await storage.users.list(everyUser, start), []);
        }
      }
      assert.equal(await storage.imports.users(watched()), many);
      assert.equal(await storage.users.count(everyUser), many);
    },
  }),
];
