/** The checks of writes that change or remove values of the application's own fields. A storage without such fields passes. */
import { recordNames, type FieldsContract, type StoredValues } from '../../model/stored.js';
import type { Stores } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { type Rules, type StoragePart, storeChecks, type Table, type Test } from '../check.js';
import {
  addOrder,
  addPost,
  addUser,
  at,
  atOnce,
  change,
  firstPage,
  newOrder,
  pending,
  start,
  storedValues,
  taken,
} from '../samples.js';

const { text: _, ...withoutText } = storedValues;
const filter = { filter: true } as const;
const fields = { text: filter, count: filter, flag: { ...filter, default: false }, none: {}, list: {} };

/** The contract to open a storage with for the checks: each record has the fields of their values. */
export const contractOfChecks: FieldsContract = {
  extensions: { 'x-records': Object.fromEntries(recordNames.map((name) => [name, { stored: fields }])) },
};

/** Checks of a storage that keeps fields. */
function fieldChecks<Store extends keyof Stores>(
  stores: readonly Store[],
  rules: Rules<Test<StoragePart<Store>>>,
) {
  const tests = Object.entries<Test<StoragePart<Store>>>(rules).map(([rule, test]) => [
    rule,
    (storage: StoragePart<Store>) => (storage.ownFields === undefined ? [] : test(storage)),
  ]);
  return storeChecks(stores, Object.fromEntries(tests) as typeof rules);
}

/** A change by a function of the values before it. @param update - writes only the values */
function functionChecks<Store extends keyof Stores>(
  prefix: string,
  stores: readonly Store[],
  create: (storage: StoragePart<Store>) => Promise<{ readonly id: string }>,
  find: (storage: StoragePart<Store>, id: string) => Promise<{ readonly stored?: unknown } | undefined>,
  update: (
    storage: StoragePart<Store>,
    id: string,
    stored: (before: StoredValues) => StoredValues | undefined,
  ) => Promise<unknown>,
) {
  return fieldChecks<Store>(stores, {
    [`${prefix}-stored-function: a function that makes the values of a change gets those before it, of all writers at once; if it returns undefined, nothing changes`]:
      async (storage: StoragePart<Store>): Promise<Table> => {
        const { id } = await create(storage);
        const count = (before: StoredValues) => ({ count: Number(before['count']) + 1, text: undefined });
        await atOnce(8, () => update(storage, id, count));
        const changed = { ...withoutText, count: 8.5 };
        const found = async () => (await find(storage, id))?.stored;
        return [
          [found, changed],
          [() => update(storage, id, () => undefined), 'invalid'],
          [found, changed],
          [() => update(storage, '999', count), 'not-found'],
        ];
      },
  });
}

const stored = storedValues;
const removal = { stored: { text: undefined } };

export const storedChecks = [
  ...functionChecks(
    'users',
    ['users'],
    (storage) => addUser(storage, 1, { stored }),
    ({ users }, id) => users.find(id),
    ({ users }, id, values) => users.update(id, change({ stored: values }), at(2)),
  ),
  ...functionChecks(
    'products',
    ['products'],
    ({ products }) => products.create({ name: 'Lamp', description: undefined, priceCents: 1, stored }),
    ({ products }, id) => products.find(id),
    ({ products }, id, values) =>
      products.update(id, { name: undefined, description: undefined, priceCents: undefined, stored: values }),
  ),
  ...functionChecks(
    'orders',
    ['users', 'orders'],
    async (storage) => addOrder(storage, (await addUser(storage, 1)).id, { stored }),
    ({ orders }, id) => orders.find(id),
    ({ orders }, id, values) => orders.update(id, { status: 'pending', stored: values }, pending, at(2)),
  ),

  ...fieldChecks(['users', 'transaction'], {
    'transaction-stored-function: a transaction goes on after a function has refused a change': async (
      storage,
    ) => {
      const { id } = await addUser(storage, 1, { stored });
      const work = storage.transaction(async ({ users }) => {
        const refused = await users.update(id, change({ stored: () => undefined, city: 'Paris' }), at(2));
        await users.update(id, change({ stored: ({ text }) => ({ none: text }) }), at(2));
        return refused;
      });
      return [
        [() => work, 'invalid'],
        [async () => (await storage.users.find(id))?.stored, { ...stored, none: stored.text }],
        [async () => (await storage.users.find(id))?.city, undefined],
      ];
    },
  }),

  ...fieldChecks(['users'], {
    'users-stored-changes: a change of a user writes the values that it gives, and removes the undefined ones':
      async (storage) => {
        const { users } = storage;
        const one = await addUser(storage, 1, { stored, city: 'London' });
        const other = await addUser(storage, 2);
        const removed = { ...one, stored: withoutText, updatedAt: at(2), version: 2 };
        const added = { ...other, stored: { text: 'B' }, updatedAt: at(2), version: 2 };
        const inLondon = { ...everyUser, city: 'London', stored: { count: 0.5 } };
        return [
          [() => users.list(inLondon, start), [one]],
          [() => users.count({ ...inLondon, city: 'Paris' }), 0],
          [() => users.update(one.id, change(removal), at(2)), removed],
          [() => users.update(other.id, change({ stored: { text: 'B' } }), at(2)), added],
          [() => users.list(everyUser, start), [removed, added]],
        ];
      },
  }),

  ...fieldChecks(['products'], {
    'products-stored-changes: a replacement removes undefined values, and categories have values of their own':
      async ({ products }) => {
        const lamp = { name: 'Lamp', description: undefined, priceCents: 1 };
        const { id } = await products.create({ ...lamp, stored });
        const other = await products.create(lamp);
        const [garden, tools] = taken(
          await products.setCategories(id, ['Garden', 'Tools'], [stored, undefined]),
        );
        const withoutValues = { ...garden, stored: withoutText };
        return [
          [() => products.list({ after: id, limit: 1 }, { flag: true }), []],
          [
            () => products.update(id, { ...lamp, description: null, ...removal }),
            { ...lamp, id, stored: withoutText, version: 2 },
          ],
          [() => garden?.stored, stored],
          [() => products.listCategories(id), [garden, tools]],
          [() => products.setCategories(other.id, ['Garden']), [garden]],
          [() => products.setCategories(other.id, ['Garden'], [removal.stored]), [withoutValues]],
          [() => products.listCategories(id), [withoutValues, tools]],
        ];
      },
  }),

  ...fieldChecks(['users', 'orders'], {
    'orders-stored-changes: an update of an order removes the undefined values': async (storage) => {
      const { id: userId } = await addUser(storage, 1);
      const order = await addOrder(storage, userId, { stored });
      const { items, totalCents } = newOrder(userId);
      const update = () => storage.orders.update(order.id, { items, totalCents, ...removal }, pending, at(2));
      return [
        [async () => taken(await update()).stored, withoutText],
        [() => storage.orders.count({ userId, stored: { count: 0.5 } }), 1],
        [() => storage.orders.count({ userId, stored: { text: stored.text } }), 0],
      ];
    },
  }),

  ...fieldChecks(['users', 'posts'], {
    'posts-stored-lists: each list of posts has their values': async (storage) => {
      const { posts } = storage;
      const { id: authorId } = await addUser(storage, 1);
      const plain = await addPost(storage, authorId);
      const post = await addPost(storage, authorId, at(1), { stored });
      return [
        [() => posts.listSince(plain.createdAt, 10), [post]],
        [() => posts.listBefore(undefined, 1), [post]],
        [
          () => posts.list(firstPage, 'without-content'),
          [
            { ...plain, content: '' },
            { ...post, content: '' },
          ],
        ],
      ];
    },
  }),
];
