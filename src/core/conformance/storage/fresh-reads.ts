/** The checks of reads after writes: in every store, a read shows all earlier writes. */
import assert from 'node:assert/strict';
import type { User } from '../../model/user.js';
import { everyOrder } from '../../ports/order-store.js';
import { everyUser, unchangedUser } from '../../ports/user-store.js';
import { addOrder, addUser, at, newOrder, newUser, storageCheck, taken } from './storage-check.js';

const name = 'every read shows all earlier writes, also when the same record was read before';
const slice = { offset: 0, limit: 9 };
const page = { after: undefined, limit: 9 };
const listed = <T>(record: T | undefined): readonly T[] => (record === undefined ? [] : [record]);

/** Reads everything before and after each write. @param expected the answers, by what the write has left */
async function follow<T>(
  reads: Readonly<Record<string, () => Promise<unknown>>>,
  expected: (record: T | undefined) => Readonly<Record<string, unknown>>,
  writes: readonly (() => Promise<T | undefined>)[],
): Promise<void> {
  const answers = async () => {
    const entries = Object.entries(reads).map(async ([method, read]) => [method, await read()] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  for (const write of writes) {
    await answers();
    const record = await write();
    assert.deepEqual(await answers(), expected(record));
  }
}

/** A write that leaves no record. */
function leavingNone(write: () => Promise<unknown>): () => Promise<undefined> {
  return async () => {
    await write();
    return undefined;
  };
}

export const freshReadChecks = [
  storageCheck('MUST', 'users-fresh-reads', name, async ({ users }) => {
    let id = '';
    await follow<User>(
      {
        find: () => users.find(id),
        findMany: () => users.findMany([id]),
        findCredentials: () => users.findCredentials(newUser(1).email),
        list: () => users.list(everyUser, slice),
        count: () => users.count(everyUser),
      },
      (user) => ({
        find: user,
        findMany: [user],
        findCredentials: user && { user, passwordHash: undefined },
        list: listed(user),
        count: listed(user).length,
      }),
      [
        async () => {
          const user = taken(await users.create(newUser(1), at(0)));
          id = user.id;
          return user;
        },
        async () => taken(await users.update(id, { ...unchangedUser, city: 'Rome' }, at(1))),
        leavingNone(() => users.delete(id)),
      ],
    );
  }),

  storageCheck('MUST', 'identities-fresh-reads', name, async ({ users, externalIdentities }) => {
    const identity = { issuer: 'https://id.example.com', subject: 'ada' };
    let id = '';
    await follow<User>(
      { findUser: () => externalIdentities.findUser(identity) },
      (findUser) => ({ findUser }),
      [
        async () => {
          const user = taken(await externalIdentities.findOrCreateUser(identity, newUser(1), at(0)));
          id = user.id;
          return user;
        },
        async () => taken(await users.update(id, { ...unchangedUser, status: 'inactive' }, at(1))),
        leavingNone(() => users.delete(id)),
      ],
    );
  }),

  storageCheck('MUST', 'posts-fresh-reads', name, async (storage) => {
    const { posts } = storage;
    const { id: authorId } = await addUser(storage, 1);
    let id = '';
    await follow(
      {
        find: () => posts.find(id),
        list: () => posts.list(page),
        listSince: () => posts.listSince(undefined, 9),
        listBefore: () => posts.listBefore(undefined, 9),
        listByAuthor: () => posts.listByAuthor(authorId, page),
        listByAuthors: () => posts.listByAuthors([authorId], 9),
      },
      (post) => ({
        find: post,
        list: listed(post),
        listSince: listed(post),
        listBefore: listed(post),
        listByAuthor: listed(post),
        listByAuthors: [listed(post)],
      }),
      [
        async () => {
          const post = taken(await posts.create({ title: 'Title', content: 'Content', authorId }, at(0)));
          id = post.id;
          return post;
        },
        async () => {
          const post = await posts.find(id);
          await addUser(storage, 2);
          return post;
        },
        leavingNone(() => storage.users.delete(authorId)),
      ],
    );
  }),

  storageCheck('MUST', 'orders-fresh-reads', name, async (storage) => {
    const { orders } = storage;
    const { id: userId } = await addUser(storage, 1);
    let id = '';
    await follow(
      {
        find: () => orders.find(id),
        list: () => orders.list({ userId }, slice),
        count: () => orders.count(everyOrder),
        summarize: () => orders.summarize([userId], 9),
      },
      (order) => ({
        find: order,
        list: listed(order),
        count: listed(order).length,
        summarize: [listed(order && { id: order.id, totalCents: order.totalCents })],
      }),
      [
        async () => {
          const order = await addOrder(storage, userId);
          id = order.id;
          return order;
        },
        async () =>
          taken(
            await orders.update(id, newOrder(userId, 5), { version: undefined, status: 'pending' }, at(1)),
          ),
        async () =>
          taken(
            await orders.update(
              id,
              { status: 'processing' },
              { version: undefined, status: 'pending' },
              at(2),
            ),
          ),
        leavingNone(() => orders.delete(id, { version: undefined, status: 'processing' })),
      ],
    );
  }),

  storageCheck('MUST', 'products-fresh-reads', name, async ({ products }) => {
    let id = '';
    let categories: unknown = 'not-found';
    await follow(
      {
        find: () => products.find(id),
        findMany: () => products.findMany([id]),
        list: () => products.list(slice),
        count: () => products.count(),
        listCategories: () => products.listCategories(id),
      },
      (product) => ({
        find: product,
        findMany: [product],
        list: listed(product),
        count: listed(product).length,
        listCategories: categories,
      }),
      [
        async () => {
          const product = await products.create({ name: 'Shears', description: undefined, priceCents: 1 });
          id = product.id;
          categories = [];
          return product;
        },
        async () =>
          taken(await products.replace(id, { name: 'Rake', description: undefined, priceCents: 2 })),
        async () => {
          categories = await products.setCategories(id, ['Tools']);
          return await products.find(id);
        },
        async () => {
          await products.delete(id);
          categories = 'not-found';
          return undefined;
        },
      ],
    );
  }),

  storageCheck('MUST', 'comments-fresh-reads', name, async (storage) => {
    const { comments } = storage;
    const { id: userId } = await addUser(storage, 1);
    const { id: orderId } = await addOrder(storage, userId);
    let id = '';
    await follow(
      {
        find: () => comments.find(id),
        list: () => comments.list({ orderId, concerning: undefined }, slice),
        count: () => comments.count({ orderId, concerning: undefined }),
      },
      (comment) => ({ find: comment, list: listed(comment), count: listed(comment).length }),
      [
        async () => {
          const comment = taken(await comments.create({ orderId, userId, text: 'Thanks' }, at(0)));
          id = comment.id;
          return comment;
        },
        async () => {
          const comment = await comments.find(id);
          await addOrder(storage, userId);
          return comment;
        },
        leavingNone(() => storage.orders.delete(orderId, { version: undefined, status: 'pending' })),
      ],
    );
  }),

  storageCheck('MUST', 'refresh-tokens-fresh-reads', name, async (storage) => {
    const { refreshTokens } = storage;
    const { id: userId, version } = await addUser(storage, 1);
    const token = { hash: 'a', userId, expiresAt: at(9) };
    await follow({ find: () => refreshTokens.find('a') }, (find) => ({ find }), [
      async () => {
        assert.equal(await refreshTokens.create(token, version), 'created');
        return { ...token, isUsed: false };
      },
      async () => {
        assert.equal(await refreshTokens.replace('a', { hash: 'b', expiresAt: at(9) }), 'replaced');
        return { ...token, isUsed: true };
      },
      leavingNone(() => refreshTokens.revoke('b')),
    ]);
  }),

  storageCheck('MUST', 'api-keys-fresh-reads', name, async (storage) => {
    const { apiKeys } = storage;
    const { id: ownerId } = await addUser(storage, 1);
    let id = '';
    await follow(
      {
        find: () => apiKeys.find(id),
        findCredentials: () => apiKeys.findCredentials(id),
        list: () => apiKeys.list(slice),
        count: () => apiKeys.count(),
      },
      (apiKey) => ({
        find: apiKey,
        findCredentials: apiKey && { apiKey, hash: 'x' },
        list: listed(apiKey),
        count: listed(apiKey).length,
      }),
      [
        async () => {
          const apiKey = taken(await apiKeys.create({ name: 'Warehouse', hash: 'x', ownerId }, at(0)));
          id = apiKey.id;
          return apiKey;
        },
        async () => {
          const apiKey = await apiKeys.find(id);
          await apiKeys.recordUse(id, at(1));
          return apiKey && { ...apiKey, lastUsedAt: at(1) };
        },
        async () => {
          const apiKey = await apiKeys.find(id);
          await apiKeys.deactivate(id);
          return apiKey && { ...apiKey, active: false };
        },
        leavingNone(() => storage.users.delete(ownerId)),
      ],
    );
  }),
];
