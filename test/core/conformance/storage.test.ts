/** The storage checks catch stores that break a rule: each fault here is found by the checks that are named with it. */
import { expect } from 'chai';
import { setImmediate as tick } from 'node:timers/promises';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { storageChecks, storageChecksOf } from '../../../src/core/conformance/storage/storage.js';
import { contractOfChecks } from '../../../src/core/conformance/storage/stored.js';
import { pick } from '../../../src/core/model/fields.js';
import type { Stores } from '../../../src/core/ports/storage.js';
import type { User } from '../../../src/core/model/user.js';
import { apiKeyFaults } from './faults/api-keys.js';
import { auditFaults } from './faults/audit.js';
import { cacheFaults } from './faults/caches.js';
import { externalIdentityFaults } from './faults/external-identities.js';
import type { Faults } from './faults/fault.js';
import { idempotencyFaults } from './faults/idempotency.js';
import { userSessionFaults } from './faults/user-sessions.js';
import { refreshTokenFaults } from './faults/refresh-tokens.js';
import { unchangedUser } from '../../../src/core/ports/user-store.js';
import { everyComment } from '../../../src/core/ports/order-store.js';

const faults: Faults = {
  ...apiKeyFaults,
  ...auditFaults,
  ...cacheFaults,
  ...refreshTokenFaults,
  ...userSessionFaults,
  ...externalIdentityFaults,
  ...idempotencyFaults,
  'lists order ids as text': [
    ['users-list-order'],
    ({ users }) => {
      const list = users.list.bind(users);
      users.list = async (filter, slice) =>
        (await list(filter, slice)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
  ],
  'lists leave out the values of fields': [
    ['users-stored'],
    ({ users }) => {
      const list = users.list.bind(users);
      users.list = async (filter, slice) =>
        (await list(filter, slice)).map((user) => ({ ...user, stored: undefined }));
    },
  ],
  'a replacement removes the values that it does not give': [
    ['products-stored'],
    ({ products }) => {
      const replace = products.replace.bind(products);
      products.replace = (id, product, version) =>
        replace(id, { ...product, stored: product.stored ?? { text: undefined } }, version);
    },
  ],
  'an unknown id is an error': [
    ['users-odd-ids'],
    ({ users }) => {
      const find = users.find.bind(users);
      users.find = (id) =>
        /^\d+$/.test(id) ? find(id) : Promise.reject(new Error('invalid input syntax for bigint'));
    },
  ],
  'findMany leaves out what it does not find': [
    ['users-find-many', 'users-odd-ids'],
    ({ users }) => {
      const findMany = users.findMany.bind(users);
      users.findMany = async (ids) => (await findMany(ids)).filter((user) => user !== undefined);
    },
  ],
  'versions are not looked at': [
    ['users-version', 'users-race-version'],
    ({ users }) => {
      const update = users.update.bind(users);
      users.update = (id, change, now) => update(id, change, now);
    },
  ],
  'versions are compared before the write, not with it': [
    ['users-race-version'],
    ({ users }) => {
      const update = users.update.bind(users);
      users.update = async (id, change, now, version) => {
        const user = await users.find(id);
        if (user !== undefined && version !== undefined && user.version !== version) return 'stale';
        await tick();
        return await update(id, change, now);
      };
    },
  ],
  'records are shared with callers': [
    ['users-immutable'],
    ({ users }) => {
      const cache = new Map<string, User>();
      const create = users.create.bind(users);
      users.create = async (user, now) => {
        const made = await create(user, now);
        if (typeof made === 'string') return made;
        cache.set(made.id, { ...made });
        return cache.get(made.id) ?? made;
      };
      const find = users.find.bind(users);
      users.find = async (id) => cache.get(id) ?? (await find(id));
    },
  ],
  'the password hash is a field like any other': [
    ['users-hash-apart'],
    ({ users }) => {
      const create = users.create.bind(users);
      users.create = async (user, now) => {
        const made = await create(user, now);
        return typeof made === 'string' ? made : { ...made, passwordHash: user.passwordHash };
      };
    },
  ],
  'the count does not follow deletes': [
    ['users-count'],
    ({ users }) => {
      let most = 0;
      const count = users.count.bind(users);
      users.count = async (filter) => (most = Math.max(most, await count(filter)));
    },
  ],
  'times lose their microseconds': [
    ['posts-lists'],
    ({ posts }) => {
      const listSince = posts.listSince.bind(posts);
      posts.listSince = (since, limit) => listSince(since && `${since.slice(0, 23)}000Z`, limit);
    },
  ],
  'one record less is listed for a usual limit': [
    ['products-limits'],
    ({ products }) => {
      const list = products.list.bind(products);
      products.list = (slice) => list(slice.limit === 100 ? { ...slice, limit: 99 } : slice);
    },
  ],
  'the posts of an author always start with the first': [
    ['posts-by-author'],
    ({ posts }) => {
      const listByAuthor = posts.listByAuthor.bind(posts);
      posts.listByAuthor = (id, { limit }) => listByAuthor(id, { after: undefined, limit });
    },
  ],
  'the form of posts is ignored': [
    ['posts-without-content'],
    ({ posts }) => {
      const list = posts.list.bind(posts);
      posts.list = (slice) => list(slice);
    },
  ],
  'a post may become visible after a later one': [
    ['posts-race-reader'],
    ({ posts }) => {
      const hidden = new Set<string>();
      const create = posts.create.bind(posts);
      posts.create = async (post, now) => {
        const made = await create(post, now);
        if (typeof made === 'string') return made;
        hidden.add(made.id);
        for (let ticks = Number(made.id) % 5; ticks > 0; ticks--) await tick();
        hidden.delete(made.id);
        return made;
      };
      const listSince = posts.listSince.bind(posts);
      posts.listSince = async (since, limit) => {
        await tick();
        return (await listSince(since, limit)).filter(({ id }) => !hidden.has(id));
      };
    },
  ],
  'the posts of a deleted user stay': [
    ['posts-cascade', 'posts-race-author'],
    ({ users }) => {
      users.delete = async (id) => {
        const user = await users.update(
          id,
          { ...unchangedUser, email: `gone${id}@example.com` },
          '2026-01-01T00:00:00.000000Z',
        );
        return typeof user === 'string' ? 'not-found' : 'deleted';
      };
    },
  ],
  'the status is not compared': [
    ['orders-status'],
    ({ orders }) => {
      const update = orders.update.bind(orders);
      orders.update = async (id, change, condition, now) => {
        const order = await orders.find(id);
        return await update(id, change, { ...condition, status: order?.status ?? condition.status }, now);
      };
    },
  ],
  'categories are added, never taken away': [
    ['products-categories'],
    ({ products }) => {
      const setCategories = products.setCategories.bind(products);
      products.setCategories = async (id, names) => {
        const before = await products.listCategories(id);
        const kept = before === 'not-found' ? [] : before.map(({ name }) => name);
        return await setCategories(id, [...new Set([...kept, ...names])]);
      };
    },
  ],
  "comments on a user's orders do not concern the user": [
    ['comments-list'],
    ({ comments }) => {
      const list = comments.list.bind(comments);
      comments.list = async ({ concerning, ...filter }, slice) =>
        (await list({ ...everyComment, ...filter }, slice)).filter(
          ({ userId }) => concerning === undefined || userId === concerning,
        );
    },
  ],
  'a closed store says that it is well': [
    ['storage-ping'],
    (storage) => {
      storage.ping = () => Promise.resolve();
    },
  ],
};

describe('storageChecks', () => {
  it('have ids of their own', () => {
    const ids = storageChecks.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('of credentials, identities and fresh reads all have a fault that they find', () => {
    const found = new Set(Object.values(faults).flatMap(([checks]) => checks));
    const ids = storageChecks.map(({ id }) => id);
    const newer = ids.filter((id) =>
      /^(?:api-keys|refresh-tokens|identities|users-sessions|idempotency)-|-admin|-fresh-reads$/.test(id),
    );
    expect(newer.filter((id) => !found.has(id))).to.deep.equal([]);
  });

  for (const [fault, [checks, breakIt]] of Object.entries(faults)) {
    it(`find out when ${fault}`, async () => {
      const failed: string[] = [];
      for (const check of storageChecks) {
        const make = () => {
          const storage = memoryStorage({ contract: contractOfChecks });
          breakIt(storage);
          return Promise.resolve(storage);
        };
        await check.run(make).catch(() => failed.push(check.id));
      }
      expect(failed).to.include.members([...checks]);
    });
  }
});

describe('storageChecksOf', () => {
  const all = Object.keys({
    users: 0,
    externalIdentities: 0,
    posts: 0,
    orders: 0,
    products: 0,
    comments: 0,
    refreshTokens: 0,
    apiKeys: 0,
    idempotency: 0,
    audit: 0,
    outbox: 0,
    transaction: 0,
  } satisfies Record<Exclude<keyof Stores, 'joined'>, 0>) as Exclude<keyof Stores, 'joined'>[];
  const checks = storageChecksOf(...all);

  it('has all checks of all stores, but those of the storage as a whole', () => {
    const ids = new Set(checks.map(({ id }) => id));
    const others = storageChecks.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
    expect(others).to.deep.equal(['storage-ping', 'storage-close-twice', 'storage-apart']);
  });

  for (const { id, stores } of checks) {
    it(`needs no other stores for ${id} than ${stores.join(', ')}`, async () => {
      const check = storageChecksOf(...stores).find((each) => each.id === id) ?? expect.fail(id);
      await check.run(() => pick(memoryStorage({ contract: contractOfChecks }), stores));
    });
  }

  it('has only the checks of the given stores', () => {
    const ids = storageChecksOf('products').map(({ id }) => id);
    expect(ids).to.include('products-race-set').and.to.include('products-fresh-reads');
    expect(ids.filter((id) => !id.startsWith('products-'))).to.deep.equal([]);
    expect(storageChecksOf('apiKeys').map(({ id }) => id)).not.to.include('api-keys-owner');
    expect(storageChecksOf('users', 'apiKeys').map(({ id }) => id)).to.include('api-keys-owner');
  });

  it('finds a fault of a part', async () => {
    const check = storageChecksOf('products').find(({ id }) => id === 'products-list') ?? expect.fail();
    const make = () => {
      const { products } = memoryStorage({ contract: contractOfChecks });
      products.count = () => Promise.resolve(7);
      return { products };
    };
    const failure: unknown = await check.run(make).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
  });

  it('closes a part that can be closed', async () => {
    let closed = 0;
    const close = () => Promise.resolve(void (closed += 1));
    const [check] = storageChecksOf('products');
    await check?.run(() => ({ products: memoryStorage({ contract: contractOfChecks }).products, close }));
    expect(closed).to.equal(1);
  });

  it('refuses stores that cannot be checked without others, and names these', () => {
    expect(() => storageChecksOf('products', 'comments')).to.throw(
      'the checks of the store comments need the stores comments, orders, users',
    );
  });
});
