/** The checks of the application's own fields in the records of every store. A storage without `stored` keeps none, and passes. */
import assert from 'node:assert/strict';
import { recordNames, type FieldsContract, type StoredValues } from '../../model/stored.js';
import { everyComment, everyOrder } from '../../ports/order-store.js';
import type { Storage, Stores } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { type Rules, storeChecks } from '../check.js';
import {
  addUser,
  addUserWithOrder,
  at,
  change,
  idsOf,
  newOrder,
  newUser,
  pending,
  start,
  taken,
} from '../samples.js';

const values = { text: `A "7" \\ '💡`, count: 0.5, flag: true, none: null, list: [1, { deep: ['x', null] }] };
const { text: _, ...withoutText } = values;
const filter = { filter: true } as const;
const fields = { text: filter, count: filter, flag: { ...filter, default: false }, none: {}, list: {} };

/** The contract to open a storage with for the checks: each record has the fields of their values. */
export const contractOfChecks: FieldsContract = {
  extensions: { 'x-records': Object.fromEntries(recordNames.map((name) => [name, { stored: fields }])) },
};

type Test<Store extends keyof Stores> = (storage: Pick<Stores, Store>) => Promise<void>;

function kept<Store extends keyof Stores>(stores: readonly Store[], rules: Rules<Test<Store>>) {
  const tests = Object.entries<Test<Store>>(rules).map(([rule, test]) => [
    rule,
    async (storage: Pick<Stores, Store> & Partial<Pick<Storage, 'ownFields'>>) => {
      if (storage.ownFields !== undefined) await test(storage);
    },
  ]);
  return storeChecks(stores, Object.fromEntries(tests) as Rules<Test<Store>>);
}

interface Kept {
  readonly id: string;
  readonly stored?: StoredValues | undefined;
}

/** Asserts that a record has the values, is found with them, and does not change with its caller's objects. */
async function made<T extends Kept>(record: T, find: (id: string) => Promise<T | undefined>): Promise<T> {
  assert.deepEqual(record.stored, values);
  const { list } = record.stored;
  Reflect.set(Object(list[1]) as object, 'deep', 'changed');
  const found = await find(record.id);
  assert.deepEqual(found?.stored, values, 'find gives the values of create');
  return found;
}

/** Asserts that lists are filtered: a record without a value has the default. */
async function filters<T extends Kept>(
  record: T,
  other: T,
  list: (stored: StoredValues) => Promise<readonly T[]>,
  count?: (stored: StoredValues) => Promise<number>,
): Promise<void> {
  for (const filter of [{ text: values.text }, { count: 0.5 }, { flag: true, text: values.text }]) {
    assert.deepEqual(await list(filter), [record], JSON.stringify(filter));
    assert.equal(await count?.(filter), count && 1);
  }
  assert.deepEqual(idsOf(await list({ flag: false })), [other.id], 'the default');
  for (const text of ['A', 'A\0', '\uD800']) assert.deepEqual(await list({ text }), [], JSON.stringify(text));
}

export const storedChecks = [
  ...kept(['users'], {
    'users-stored: users keep the values of fields; a change writes those that it gives, and removes the undefined ones':
      async ({ users }) => {
        const other = await addUser({ users }, 2);
        assert.ok(!('stored' in other), 'no values are not an empty object');
        const { id } = await made(await addUser({ users }, 1, { stored: values }), (each) =>
          users.find(each),
        );
        assert.deepEqual((await users.findCredentials('user1@example.com'))?.user.stored, values);
        const record = taken(await users.update(id, change({ city: 'London' }), at(1)));
        assert.deepEqual(await users.findMany([id]), [record]);
        const list = (stored: StoredValues) => users.list({ ...everyUser, stored }, start);
        await filters(record, other, list, (stored) => users.count({ ...everyUser, stored }));
        const ofCity = { ...everyUser, city: 'London', stored: { count: 0.5 } };
        assert.deepEqual(await users.list(ofCity, start), [record]);
        assert.equal(await users.count({ ...ofCity, city: 'Paris' }), 0);
        const removed = taken(await users.update(id, change({ stored: { text: undefined } }), at(2)));
        assert.deepEqual(removed, { ...removed, stored: withoutText, version: 3 });
        const added = taken(await users.update(other.id, change({ stored: { text: 'B' } }), at(2)));
        assert.deepEqual(added.stored, { text: 'B' });
        assert.deepEqual(await users.list(everyUser, start), [added, removed]);
      },
  }),

  ...kept(['products'], {
    'products-stored: products and categories keep the values of fields that a write does not give': async ({
      products,
    }) => {
      const lamp = { name: 'Lamp', description: undefined, priceCents: 1 };
      const other = await products.create(lamp);
      const { id } = await made(await products.create({ ...lamp, stored: values }), (each) =>
        products.find(each),
      );
      const record = taken(await products.replace(id, { ...lamp, name: 'Lamp 2' }));
      assert.deepEqual(record.stored, values);
      const list = (stored: StoredValues) => products.list(start, stored);
      await filters(record, other, list, (stored) => products.count(stored));
      assert.deepEqual(await products.list({ after: id, limit: 1 }, { flag: true }), []);
      const removed = taken(await products.replace(id, { ...lamp, stored: { text: undefined } }));
      assert.deepEqual(removed, { ...lamp, id, version: 3, stored: withoutText });
      assert.deepEqual(await products.list(start), [other, removed]);

      const [garden] = taken(await products.setCategories(id, ['Garden', 'Tools'], [values, undefined]));
      assert.deepEqual(garden?.stored, values);
      assert.deepEqual(await products.setCategories(other.id, ['Garden']), [garden]);
      await products.setCategories(other.id, ['Garden'], [{ text: undefined }]);
      assert.deepEqual(taken(await products.listCategories(id))[0]?.stored, withoutText);
    },
  }),

  ...kept(['users', 'orders', 'comments'], {
    'orders-stored: orders and comments keep the values of fields': async (storage) => {
      const { userId, order: other } = await addUserWithOrder(storage);
      const { orders, comments } = storage;
      const given = { ...newOrder(userId), stored: values };
      const { id } = await made(taken(await orders.create(given, at(0))), (each) => orders.find(each));
      const record = taken(await orders.update(id, { status: 'pending' }, pending, at(1)));
      const list = (stored: StoredValues) => orders.list({ ...everyOrder, stored }, start);
      await filters(record, other, list, (stored) => orders.count({ userId, stored }));
      const { items, totalCents } = given;
      const removed = { items, totalCents, stored: { text: undefined } };
      assert.deepEqual(taken(await orders.update(id, removed, pending, at(2))).stored, withoutText);

      const text = { orderId: id, userId, text: 'Thanks' };
      const plain = taken(await comments.create(text, at(0)));
      const comment = taken(await comments.create({ ...text, stored: values }, at(0)));
      await made(comment, (each) => comments.find(each));
      const listed = (stored: StoredValues) => comments.list({ ...everyComment, stored }, start);
      const count = (stored: StoredValues) => comments.count({ orderId: id, concerning: userId, stored });
      await filters(comment, plain, listed, count);
    },
  }),

  ...kept(['users', 'posts'], {
    'posts-stored: posts keep the values of fields, in every list': async ({ users, posts }) => {
      const { id: authorId } = await addUser({ users }, 1);
      const text = { title: 'Title', content: 'Content', authorId };
      const plain = taken(await posts.create(text, at(0)));
      const post = await made(taken(await posts.create({ ...text, stored: values }, at(0))), (id) =>
        posts.find(id),
      );
      const first = { after: undefined, limit: 10 };
      await filters(post, plain, (stored) => posts.list(first, 'whole', stored));
      await filters(post, plain, (stored) => posts.listSince(undefined, 10, stored));
      assert.deepEqual(await posts.listSince(plain.createdAt, 10), [post]);
      assert.deepEqual(await posts.listBefore(undefined, 1), [post]);
      assert.deepEqual((await posts.list(first, 'without-content'))[1], { ...post, content: '' });
      assert.deepEqual(await posts.listByAuthors([authorId], 10), [[plain, post]]);
    },
  }),

  ...kept(['users', 'externalIdentities'], {
    'stored-identities: users who are created by an identity keep the values of fields': async (storage) => {
      const { users, externalIdentities } = storage;
      const identity = { issuer: 'issuer', subject: 'subject' };
      const user = newUser(2, { stored: values });
      const created = taken(await externalIdentities.findOrCreateUser(identity, user, at(0)));
      await made(created, (id): Promise<Kept | undefined> => users.find(id));
      assert.deepEqual((await externalIdentities.findUser(identity))?.stored, values);
    },
  }),
];
