/** Rows of a policy that a store applies: they allow what a function with the same rule allows, and lists read no other records. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type FieldsContract, hasStored } from '../../../../src/core/model/stored.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { everyUser } from '../../../../src/core/ports/user-store.js';
import { anonymous, type Caller } from '../../../../src/core/services/rights/caller.js';
import { openPolicy, type Policy } from '../../../../src/core/services/rights/policy.js';
import { Rights } from '../../../../src/core/services/rights/rights.js';
import { createServices, type Services } from '../../../../src/core/services/services.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { sqliteStorage } from '../../../../src/core/storage/sqlite.js';
import { bareUser } from '../../../support/bare-records.js';
import { asUser } from '../fixture.js';

const field = { filter: true, default: 'north' } as const;
const names = ['User', 'Product', 'Order', 'Post', 'Comment'];
const contract: FieldsContract = {
  extensions: { 'x-records': Object.fromEntries(names.map((name) => [name, { stored: { tenant: field } }])) },
};
const tenants = ['north', 'south', '__proto__', undefined] as const;
const now = '2026-01-01T00:00:00.000000Z';

/** The tenant of a caller is in the id, for these tests. */
const tenantOf = (caller: Caller): string | undefined =>
  caller.kind === 'user' && caller.id !== 'none' ? caller.id : undefined;

const where = (caller: Caller) => ({ stored: { tenant: tenantOf(caller) } });
const matching: Policy = {
  ...openPolicy,
  'users.read': { where },
  'posts.read': { where },
  'orders.read': { where },
  'products.read': { where },
  'comments.read': { where },
};
const isWithin = (
  caller: Caller,
  { stored }: { readonly stored?: { readonly tenant?: unknown } | undefined },
) => (stored?.tenant ?? 'north') === tenantOf(caller);
const deciding: Policy = {
  ...openPolicy,
  'users.read': isWithin,
  'posts.read': isWithin,
  'orders.read': isWithin,
  'products.read': isWithin,
  'comments.read': isWithin,
};

async function fill({ users, products, orders, posts, comments }: Storage): Promise<void> {
  for (let number = 0; number < 250; number++) {
    const tenant = tenants[number % tenants.length];
    const stored = tenant === undefined ? undefined : { tenant };
    const email = `user${String(number)}@example.com`;
    await users.create({ ...bareUser, name: 'A', email, role: 'user', status: 'active', stored }, now);
    await products.create({ name: 'Lamp', description: undefined, priceCents: 1, stored });
    await orders.create({ userId: String((number % 9) + 1), items: [], totalCents: 0, stored }, now);
    await posts.create({ title: 'T', content: 'C', authorId: '1', stored }, now);
    await comments.create({ orderId: '1', userId: '1', text: 'Hi', stored }, now);
  }
}

const openings: Readonly<Record<string, () => Storage | Promise<Storage>>> = {
  memory: () => memoryStorage({ contract }),
  SQLite: () => sqliteStorage({ path: ':memory:', contract }),
};

for (const [name, open] of Object.entries(openings)) {
  describe(`a row that the store applies, ${name}`, () => {
    let storage: Storage;
    let read = 0;
    const counting = <Store extends object>(store: Store): Store =>
      new Proxy(store, {
        get: (target, method) => {
          const call = Reflect.get(target, method) as (...given: unknown[]) => Promise<unknown>;
          return async (...given: unknown[]) => {
            const answer = await call(...given);
            if (Array.isArray(answer)) read += answer.length;
            return answer;
          };
        },
      });
    const servicesOf = (policy: Policy): Services => {
      const { users, products, orders, posts, comments } = storage;
      const stores = { users, products, orders, posts, comments };
      const counted = Object.fromEntries(
        Object.entries(stores).map(([each, store]) => [each, counting(store)]),
      ) as typeof stores;
      return createServices({ storage: { ...storage, ...counted, joined: counted }, policy });
    };
    before(async () => {
      storage = await open();
      await fill(storage);
    });
    after(() => storage.close());

    const lists: Readonly<
      Record<
        string,
        (
          services: Services,
          caller: Caller,
          asked: {
            page: number | undefined;
            limit: number | undefined;
            stored: { tenant: string } | undefined;
          },
        ) => Promise<unknown>
      >
    > = {
      users: ({ users }, caller, { stored, ...asked }) => users.list(caller, { ...everyUser, stored }, asked),
      'users by cursor': ({ users }, caller, { page = 1, limit, stored }) =>
        users.listByCursor(caller, { ...everyUser, stored }, { cursor: String(page * 20), limit }),
      'all users': ({ users }, caller, { stored }) =>
        users.listAll(caller, { after: undefined, limit: undefined, stored }),
      products: ({ products }, caller, { stored, ...asked }) => products.list(caller, asked, stored),
      orders: ({ orders }, caller, { stored, ...asked }) =>
        orders.list(caller, { userId: undefined, stored }, asked),
      "a user's orders": ({ orders }, caller, { stored, ...asked }) =>
        orders.list(caller, { userId: '2', stored }, asked),
      'embedded orders': ({ orders }, caller) =>
        orders
          .summarize(caller, ['1', '2', '__proto__'])
          .then((all) => all.map((each) => each.map(({ id }) => id))),
      comments: ({ comments }, caller, { stored, ...asked }) =>
        comments.list(caller, { orderId: undefined, stored }, asked),
      'all posts': ({ posts }, caller, { stored }) =>
        posts.listAll(caller, { after: undefined, limit: undefined, stored }),
      'posts by time': ({ posts }, caller, { limit, stored }) =>
        posts.listSince(caller, { since: undefined, limit }, stored),
      feed: ({ posts }, caller, { limit }) => posts.listFeed(caller, { lastId: undefined, limit }),
      'posts by author': ({ posts }, caller) => posts.listByAuthors(caller, ['1']),
    };
    for (const [list, call] of Object.entries(lists)) {
      it(`lists ${list} as a function does`, () =>
        fc.assert(
          fc.asyncProperty(
            fc.constantFrom('north', 'south', '__proto__', 'none', 'other'),
            fc.record({
              page: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
              limit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
              stored: fc.option(fc.record({ tenant: fc.constantFrom('north', 'south') }), { nil: undefined }),
            }),
            async (tenant, asked) => {
              const caller = asUser(tenant);
              const answers = [matching, deciding].map((policy) => call(servicesOf(policy), caller, asked));
              const [matched, decided] = await Promise.all(answers);
              expect(matched).to.deep.equal(decided);
            },
          ),
          { numRuns: 12, seed: 7 },
        ));
    }

    it('reads one page for a page', async () => {
      for (const list of ['users', 'products', 'orders', 'comments', 'posts by time', 'feed']) {
        read = 0;
        await lists[list]?.(servicesOf(matching), asUser('south'), { page: 3, limit: 10, stored: undefined });
        // A feed looks at one post more, to say whether there are others.
        const page = list === 'feed' ? 11 : 10;
        expect(read, list).to.equal(page);
        await lists[list]?.(servicesOf(matching), asUser('none'), { page: 3, limit: 10, stored: undefined });
        expect(read, 'nothing is read for a caller who may see nothing').to.equal(page);
      }
    });

    it('hides single records, and allows all of them by all', async () => {
      const services = servicesOf(matching);
      const south = asUser('south');
      expect((await services.products.get(south, '2')).stored).to.deep.equal({ tenant: 'south' });
      for (const hidden of ['1', '3', '4']) {
        const outcome = await services.products.get(south, hidden).catch((error: unknown) => error);
        expect(outcome).to.include({ code: 'not-found' });
      }
      expect((await services.products.get(asUser('north'), '4')).id, 'by default').to.equal('4');
      const all = servicesOf({ ...openPolicy, 'products.read': { where: () => 'all' } });
      expect((await all.products.list(anonymous)).pagination.total).to.equal(250);
    });

    it('finds the orders of an owner', async () => {
      const services = servicesOf({
        ...openPolicy,
        'orders.read': { where: (caller) => ({ owner: caller.kind === 'user' ? caller.id : undefined }) },
      });
      const owners = async (caller: Caller) =>
        new Set((await services.orders.list(caller, { userId: undefined })).data.map(({ userId }) => userId));
      expect(await owners(asUser('2'))).to.deep.equal(new Set(['2']));
      expect(await owners(anonymous)).to.deep.equal(new Set());
      const summaries = await services.orders.summarize(asUser('2'), ['1', '2']);
      expect(summaries.map(({ length }) => length > 0)).to.deep.equal([false, true]);
      const other = await services.orders.get(asUser('2'), '1').catch((error: unknown) => error);
      expect(other).to.include({ code: 'not-found' });
    });
  });
}

describe('a match', () => {
  it('without values, or with one that the caller lacks, allows nothing', () => {
    const record = { id: '1', name: 'A', description: undefined, priceCents: 1, version: 1 };
    for (const match of [undefined, {}, { stored: {} }, { stored: { tenant: undefined } }]) {
      const rights = new Rights({ ...openPolicy, 'products.read': { where: () => match } });
      expect(rights.allows(anonymous, 'products.read', undefined, record)).to.equal(false);
      expect(rights.scopeOfAll(anonymous, 'products.read').stored).to.equal('none');
    }
  });

  it('takes a record from before a field for one with the default', () => {
    const fields = { team: { default: 'a' } };
    expect(['a', 'b'].map((team) => hasStored({}, { team }, fields))).to.deep.equal([true, false]);
  });
});
