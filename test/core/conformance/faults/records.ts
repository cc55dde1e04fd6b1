/** Stores that break a rule of users, posts, orders, products or comments. */
import { setImmediate as tick } from 'node:timers/promises';
import type { User } from '../../../../src/core/model/user.js';
import { everyComment } from '../../../../src/core/ports/order-store.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { unchangedUser } from '../../../../src/core/ports/user-store.js';
import { byIdAsText, faults, storeFaults } from './fault.js';

export const recordFaults = [
  ...storeFaults('users', {
    create: {
      'records are shared with callers: users-immutable': (create, { users }) => {
        const cache = new Map<string, User>();
        const find = users.find.bind(users);
        users.find = async (id) => cache.get(id) ?? (await find(id));
        return async (user, now) => {
          const made = await create(user, now);
          if (typeof made === 'string') return made;
          const shared = { ...made };
          cache.set(made.id, shared);
          return shared;
        };
      },
      'the password hash is a field like any other: users-hash-apart': (create) => async (user, now) => {
        const made = await create(user, now);
        return typeof made === 'string' ? made : { ...made, passwordHash: user.passwordHash };
      },
    },
    find: {
      'an unknown id is an error: users-odd-ids': (find) => (id) =>
        /^\d+$/.test(id) ? find(id) : Promise.reject(new Error('invalid input syntax for bigint')),
    },
    findMany: {
      'findMany leaves out what it does not find: users-odd-ids, users-delete': (findMany) => async (ids) =>
        (await findMany(ids)).filter((user) => user !== undefined),
    },
    list: {
      'lists order ids as text: users-list-order': (list) => async (filter, slice) =>
        (await list(filter, slice)).toSorted(byIdAsText),
      'lists leave out the values of fields: users-stored': (list) => async (filter, slice) =>
        (await list(filter, slice)).map((user) => ({ ...user, stored: undefined })),
    },
    count: {
      'the count does not follow deletes: users-count': (count) => {
        let most = 0;
        return async (filter) => (most = Math.max(most, await count(filter)));
      },
    },
    update: {
      'versions are not looked at: users-version, users-race-version': (update) => (id, change, now) =>
        update(id, change, now),
      'versions are compared before the write, not with it: users-race-version':
        (update, { users }) =>
        async (id, change, now, version) => {
          const user = await users.find(id);
          if (user !== undefined && version !== undefined && user.version !== version) return 'stale';
          await tick();
          return await update(id, change, now);
        },
    },
    delete: {
      'the posts of a deleted user stay: posts-cascade, posts-race-author':
        (_, { users }) =>
        async (id) => {
          const email = `gone${id}@example.com`;
          const user = await users.update(id, { ...unchangedUser, email }, '2026-01-01T00:00:00.000000Z');
          return typeof user === 'string' ? 'not-found' : 'deleted';
        },
    },
  }),

  ...storeFaults('posts', {
    create: {
      'a post may become visible after a later one: posts-race-reader': (create, { posts }) => {
        const hidden = new Set<string>();
        const listSince = posts.listSince.bind(posts);
        posts.listSince = async (since, limit) => {
          await tick();
          return (await listSince(since, limit)).filter(({ id }) => !hidden.has(id));
        };
        return async (post, now) => {
          const made = await create(post, now);
          if (typeof made === 'string') return made;
          hidden.add(made.id);
          for (let ticks = Number(made.id) % 5; ticks > 0; ticks--) await tick();
          hidden.delete(made.id);
          return made;
        };
      },
    },
    list: {
      'the form of posts is ignored: posts-without-content': (list) => (slice) => list(slice),
    },
    listSince: {
      'times lose their microseconds: posts-lists': (listSince) => (since, limit) =>
        listSince(since && `${since.slice(0, 23)}000Z`, limit),
    },
    listByAuthor: {
      'the posts of an author always start with the first: posts-by-author':
        (listByAuthor) =>
        (id, { limit }) =>
          listByAuthor(id, { after: undefined, limit }),
    },
  }),

  ...storeFaults('orders', {
    update: {
      'the status is not compared: orders-status':
        (update, { orders }) =>
        async (id, change, condition, now) => {
          const order = await orders.find(id);
          return await update(id, change, { ...condition, status: order?.status ?? condition.status }, now);
        },
    },
  }),

  ...storeFaults('products', {
    list: {
      'one record less is listed for a usual limit: products-limits': (list) => (slice) =>
        list(slice.limit === 100 ? { ...slice, limit: 99 } : slice),
    },
    update: {
      'a change removes the values that it does not give: products-stored':
        (update) => (id, product, version) =>
          update(id, { ...product, stored: product.stored ?? { text: undefined } }, version),
      'the function of a change is called before its step: products-stored-function':
        (update, { products }) =>
        async (id, change, version) => {
          const before = await products.find(id);
          const { stored } = change;
          const made = typeof stored === 'function' ? stored(before?.stored ?? {}) : stored;
          return await update(id, { ...change, stored: made }, version);
        },
    },
    setCategories: {
      'categories are added, never taken away: products-categories':
        (setCategories, { products }) =>
        async (id, names) => {
          const before = await products.listCategories(id);
          const kept = before === 'not-found' ? [] : before.map(({ name }) => name);
          return await setCategories(id, [...new Set([...kept, ...names])]);
        },
    },
  }),

  ...storeFaults('comments', {
    list: {
      "comments on a user's orders do not concern the user: comments-list":
        (list) =>
        async ({ concerning, ...filter }, slice) =>
          (await list({ ...everyComment, ...filter }, slice)).filter(
            ({ userId }) => concerning === undefined || userId === concerning,
          ),
    },
  }),

  ...faults<Storage>({
    'a closed store says that it is well: storage-ping': (storage) => {
      storage.ping = () => Promise.resolve();
    },
  }),
];
