/** The checks of reads after writes: in every store, a read shows all earlier writes. */
import assert from 'node:assert/strict';
import type { Order } from '../../model/order.js';
import { everyOrder } from '../../ports/order-store.js';
import { everyUser } from '../../ports/user-store.js';
import { storeChecks } from '../check.js';
import { addOrder, addUser, at, change, newOrder, newUser, pending, start, taken } from '../samples.js';

const name = 'every read shows all earlier writes, also when the same record was read before';
const page = { after: undefined, limit: 9 };

type Answers = Readonly<Record<string, unknown>>;

/**
 * Reads everything before and after each write.
 *
 * @param read - the answers of the store; before the first write the id is empty
 * @param expected - the answers for the record that the write left, alone and as a list, as far as they do not follow from the name
 *   of the method; a write that returns a word left no record
 */
async function follow<T extends object>(
  read: (id: string) => Readonly<Record<string, Promise<unknown>>>,
  writes: readonly ((id: string) => Promise<T | string | undefined>)[],
  expected: (record: T | undefined, list: readonly T[]) => Answers = () => ({}),
): Promise<void> {
  let id = '';
  const answers = async (): Promise<Answers> => {
    const entries = Object.entries(read(id)).map(async ([method, answer]) => [method, await answer] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  for (const write of writes) {
    await answers();
    const outcome = await write(id);
    const record = typeof outcome === 'object' ? outcome : undefined;
    if (record !== undefined && 'id' in record) id = String(record.id);
    const list = record === undefined ? [] : [record];
    const special = expected(record, list);
    for (const [method, answer] of Object.entries(await answers())) {
      const usual = /^find(?:User)?$/.test(method) ? record : method === 'count' ? list.length : list;
      assert.deepEqual(answer, method in special ? special[method] : usual, method);
    }
  }
}

export const freshReadChecks = [
  ...storeChecks(['users'], {
    [`users-fresh-reads: ${name}`]: ({ users }) =>
      follow(
        (id) => ({
          find: users.find(id),
          findMany: users.findMany([id]),
          findCredentials: users.findCredentials(newUser(1).email),
          list: users.list(everyUser, start),
          count: users.count(everyUser),
        }),
        [
          () => users.create(newUser(1), at(0)),
          (id) => users.update(id, change({ city: 'Rome' }), at(1)),
          (id) => users.delete(id),
        ],
        (user) => ({ findMany: [user], findCredentials: user && { user, passwordHash: undefined } }),
      ),
  }),

  ...storeChecks(['externalIdentities', 'users'], {
    [`identities-fresh-reads: ${name}`]: ({ users, externalIdentities }) => {
      const identity = { issuer: 'https://id.example.com', subject: 'ada' };
      return follow(
        () => ({ findUser: externalIdentities.findUser(identity) }),
        [
          () => externalIdentities.findOrCreateUser(identity, newUser(1), at(0)),
          (id) => users.update(id, change({ status: 'inactive' }), at(1)),
          (id) => users.delete(id),
        ],
      );
    },
  }),

  ...storeChecks(['posts', 'users'], {
    [`posts-fresh-reads: ${name}`]: async (storage) => {
      const { posts } = storage;
      const { id: authorId } = await addUser(storage, 1);
      await follow(
        (id) => ({
          find: posts.find(id),
          list: posts.list(page),
          listSince: posts.listSince(undefined, 9),
          listBefore: posts.listBefore(undefined, 9),
          listByAuthor: posts.listByAuthor(authorId, page),
          listByAuthors: posts.listByAuthors([authorId], 9),
        }),
        [
          () => posts.create({ title: 'Title', content: 'Content', authorId }, at(0)),
          async (id) => {
            const post = await posts.find(id);
            await addUser(storage, 2);
            return post;
          },
          () => storage.users.delete(authorId),
        ],
        (_, list) => ({ listByAuthors: [list] }),
      );
    },
  }),

  ...storeChecks(['orders', 'users'], {
    [`orders-fresh-reads: ${name}`]: async (storage) => {
      const { orders } = storage;
      const { id: userId } = await addUser(storage, 1);
      await follow<Order>(
        (id) => ({
          find: orders.find(id),
          list: orders.list({ userId }, start),
          count: orders.count(everyOrder),
          summarize: orders.summarize([userId], 9),
        }),
        [
          () => addOrder(storage, userId),
          (id) => orders.update(id, newOrder(userId, 5), pending, at(1)),
          (id) => orders.update(id, { status: 'processing' }, pending, at(2)),
          (id) => orders.delete(id, { ...pending, status: 'processing' }),
        ],
        (_, list) => ({ summarize: [list.map(({ id, totalCents }) => ({ id, totalCents }))] }),
      );
    },
  }),

  ...storeChecks(['products'], {
    [`products-fresh-reads: ${name}`]: async ({ products }) => {
      let categories: unknown = 'not-found';
      await follow(
        (id) => ({
          find: products.find(id),
          findMany: products.findMany([id]),
          list: products.list(start),
          count: products.count(),
          listCategories: products.listCategories(id),
        }),
        [
          () => {
            categories = [];
            return products.create({ name: 'Shears', description: undefined, priceCents: 1 });
          },
          (id) => products.replace(id, { name: 'Rake', description: undefined, priceCents: 2 }),
          async (id) => {
            categories = await products.setCategories(id, ['Tools']);
            return await products.find(id);
          },
          (id) => {
            categories = 'not-found';
            return products.delete(id);
          },
        ],
        (product) => ({ findMany: [product], listCategories: categories }),
      );
    },
  }),

  ...storeChecks(['comments', 'orders', 'users'], {
    [`comments-fresh-reads: ${name}`]: async (storage) => {
      const { comments } = storage;
      const { id: userId } = await addUser(storage, 1);
      const { id: orderId } = await addOrder(storage, userId);
      const filter = { orderId, concerning: undefined };
      await follow(
        (id) => ({
          find: comments.find(id),
          list: comments.list(filter, start),
          count: comments.count(filter),
        }),
        [
          () => comments.create({ orderId, userId, text: 'Thanks' }, at(0)),
          async (id) => {
            const comment = await comments.find(id);
            await addOrder(storage, userId);
            return comment;
          },
          () => storage.orders.delete(orderId, pending),
        ],
      );
    },
  }),

  ...storeChecks(['refreshTokens', 'users'], {
    [`refresh-tokens-fresh-reads: ${name}`]: async (storage) => {
      const { refreshTokens } = storage;
      const { id: userId, version } = await addUser(storage, 1);
      const token = { hash: 'a', userId, expiresAt: at(9) };
      await follow(
        () => ({ find: refreshTokens.find('a') }),
        [
          async () => {
            assert.equal(await refreshTokens.create(token, version), 'created');
            return { ...token, isUsed: false };
          },
          async () => {
            assert.equal(await refreshTokens.replace('a', { hash: 'b', expiresAt: at(9) }), 'replaced');
            return { ...token, isUsed: true };
          },
          async () => {
            await refreshTokens.revoke('b');
            return undefined;
          },
        ],
      );
    },
  }),

  ...storeChecks(['apiKeys', 'users'], {
    [`api-keys-fresh-reads: ${name}`]: async (storage) => {
      const { apiKeys } = storage;
      const { id: ownerId } = await addUser(storage, 1);
      const read = async (id: string) => taken((await apiKeys.find(id)) ?? 'not found');
      await follow(
        (id) => ({
          find: apiKeys.find(id),
          findCredentials: apiKeys.findCredentials(id),
          list: apiKeys.list(start),
          count: apiKeys.count(),
        }),
        [
          () => apiKeys.create({ name: 'Warehouse', hash: 'x', ownerId }, at(0)),
          async (id) => {
            const apiKey = await read(id);
            await apiKeys.recordUse(id, at(1));
            return { ...apiKey, lastUsedAt: at(1) };
          },
          async (id) => {
            const apiKey = await read(id);
            await apiKeys.deactivate(id);
            return { ...apiKey, active: false };
          },
          () => storage.users.delete(ownerId),
        ],
        (apiKey) => ({ findCredentials: apiKey && { apiKey, hash: 'x' } }),
      );
    },
  }),
];
