/** The storage checks catch stores that break a rule: each fault here is found by the checks that are named with it. */
import { AssertionError } from 'node:assert/strict';
import { expect } from 'chai';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { storageChecks, storageChecksOf } from '../../../src/core/conformance/storage/storage.js';
import { contractOfChecks } from '../../../src/core/conformance/storage/stored.js';
import { pick } from '../../../src/core/model/fields.js';
import type { Stores } from '../../../src/core/ports/storage.js';
import { apiKeyFaults } from './faults/api-keys.js';
import { auditFaults, transactionFaults } from './faults/audit.js';
import { cacheFaults } from './faults/caches.js';
import { externalIdentityFaults } from './faults/external-identities.js';
import { idempotencyFaults } from './faults/idempotency.js';
import { recordFaults } from './faults/records.js';
import { userSessionFaults } from './faults/user-sessions.js';
import { refreshTokenFaults } from './faults/refresh-tokens.js';

const faults = [
  ...apiKeyFaults,
  ...auditFaults,
  ...cacheFaults,
  ...externalIdentityFaults,
  ...idempotencyFaults,
  ...recordFaults,
  ...refreshTokenFaults,
  ...transactionFaults,
  ...userSessionFaults,
];

describe('storageChecks', () => {
  it('have ids of their own', () => {
    const ids = storageChecks.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('of credentials, identities and fresh reads all have a fault that they find', () => {
    const found = new Set(faults.flatMap(({ checks }) => checks));
    const ids = storageChecks.map(({ id }) => id);
    const newer = ids.filter((id) =>
      /^(?:api-keys|refresh-tokens|identities|users-sessions|idempotency)-|-admin|-fresh-reads$/.test(id),
    );
    expect(newer.filter((id) => !found.has(id))).to.deep.equal([]);
  });

  for (const { name, checks, breakIt } of faults) {
    it(`find out when ${name}`, async () => {
      for (const id of checks) {
        const check = storageChecks.find((each) => each.id === id) ?? expect.fail(id);
        const make = () => {
          const storage = memoryStorage({ contract: contractOfChecks });
          breakIt(storage);
          return storage;
        };
        const failure: unknown = await check.run(make).catch((error: unknown) => error);
        expect(failure, `${id} fails`).to.be.instanceOf(AssertionError);
      }
    });
  }
});

describe('a check that fails', () => {
  it('names its rule, the last calls and what they gave, and what was expected', async () => {
    const check = storageChecks.find(({ id }) => id === 'users-updated-at') ?? expect.fail();
    let closed = 0;
    const make = () => {
      const storage = memoryStorage();
      storage.users.update = () => Promise.resolve('stale');
      return Object.freeze({ ...storage, close: () => Promise.reject(new Error(`closed ${++closed}`)) });
    };
    const failure: unknown = await check.run(make).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(AssertionError).with.property('expected').that.includes({ version: 2 });
    expect(failure).to.have.property('actual', 'stale');
    const { message } = failure as Error;
    expect(message).to.match(
      /^users-updated-at: updatedAt never goes back\n {2}users\.create\(\{ name: 'User 1'/,
    );
    expect(message).to.match(/\n {2}users\.update\('1', \{.*'2026-01-01T00:00:03\.000000Z'\) gave 'stale'\n/);
    expect(closed).to.equal(1);
  });

  it('says that a call failed', async () => {
    const [check] = storageChecksOf('apiKeys');
    const make = () => {
      const { apiKeys } = memoryStorage();
      apiKeys.create = () => Promise.reject(new Error('disk full'));
      return { apiKeys };
    };
    const failure: unknown = await check?.run(make).catch((error: unknown) => error);
    expect(failure)
      .to.be.instanceOf(AssertionError)
      .with.property('message')
      .that.matches(/apiKeys\.create\(.*\) failed: Error: disk full\ndisk full$/);
  });
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
    const check = storageChecksOf('products').find(({ id }) => id === 'products-list-order') ?? expect.fail();
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
