/** The checks of a store of idempotency keys: a record and its key are stored together, once, or not at all. */
import assert from 'node:assert/strict';
import { type EarlierCreation, isEarlier, type KeyedRequest, once } from '../../ports/idempotency-store.js';
import { everyComment, everyOrder } from '../../ports/order-store.js';
import type { Stores } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { storeChecks } from '../check.js';
import { addOrder, addUser, addUserWithOrder, at, newOrder, newUser } from '../samples.js';

/** A request under a key that is valid for a minute. */
function keyed(keyHash: string, fields: Partial<KeyedRequest> = {}): KeyedRequest {
  return { caller: 'user:1', keyHash, requestHash: `request ${keyHash}`, expiresAt: at(59), ...fields };
}

const product = { name: 'Lamp', description: undefined, priceCents: 100 };

/** @returns the record; fails for a refusal and for an earlier creation */
function fresh<T extends object | string>(outcome: T): Extract<T, { readonly id: string }> {
  assert.ok(typeof outcome === 'object' && !isEarlier(outcome), `not created: ${JSON.stringify(outcome)}`);
  return outcome as Extract<T, { readonly id: string }>;
}

/** Creates a record under a key. */
function createUnder<Outcome>(
  { transaction }: Pick<Stores, 'transaction'>,
  key: KeyedRequest,
  create: (stores: Stores) => Promise<Outcome>,
  now = at(1),
): Promise<Outcome | EarlierCreation> {
  return transaction((tx) => once(tx, key, now, () => create(tx)));
}

/** A creation of each kind, and the number of records of that kind. */
async function creations(
  storage: Pick<Stores, 'transaction' | 'users' | 'orders' | 'products' | 'comments'>,
) {
  const { users, orders, products, comments } = storage;
  const owner = await addUser(storage, 0);
  const order = await addOrder(storage, owner.id);
  const comment = { orderId: order.id, userId: owner.id, text: 'Text' };
  return [
    {
      create: (key: KeyedRequest) => createUnder(storage, key, (tx) => tx.users.create(newUser(1), at(1))),
      find: (id: string) => users.find(id),
      count: () => users.count(everyUser),
    },
    {
      create: (key: KeyedRequest) =>
        createUnder(storage, key, (tx) => tx.orders.create(newOrder(owner.id), at(1))),
      find: (id: string) => orders.find(id),
      count: () => orders.count(everyOrder),
    },
    {
      create: (key: KeyedRequest) => createUnder(storage, key, (tx) => tx.products.create(product)),
      find: (id: string) => products.find(id),
      count: () => products.count(),
    },
    {
      create: (key: KeyedRequest) => createUnder(storage, key, (tx) => tx.comments.create(comment, at(1))),
      find: (id: string) => comments.find(id),
      count: () => comments.count(everyComment),
    },
  ] as const;
}

/** As {@link creations}, of the records whose creation also makes a secret. */
function secretCreations(storage: Pick<Stores, 'transaction' | 'apiKeys' | 'outbox'>) {
  const { apiKeys, outbox } = storage;
  const apiKey = { name: 'Key', hash: 'hash', ownerId: undefined };
  const webhook = { consumer: undefined, url: 'https://hooks.example.com/' };
  return [
    {
      create: (key: KeyedRequest) => createUnder(storage, key, (tx) => tx.apiKeys.create(apiKey, at(1))),
      find: (id: string) => apiKeys.find(id),
      count: () => apiKeys.count(),
    },
    {
      create: (key: KeyedRequest) => createUnder(storage, key, (tx) => tx.outbox.create(webhook, at(1))),
      find: (id: string) => outbox.find(id),
      count: async () => (await outbox.receivers()).length,
    },
  ] as const;
}

type Creations = Awaited<ReturnType<typeof creations>> | ReturnType<typeof secretCreations>;

async function createdOnce({ idempotency }: Pick<Stores, 'idempotency'>, all: Creations): Promise<void> {
  for (const [index, { create, find, count }] of all.entries()) {
    const key = keyed(`key ${String(index)}`);
    const before = await count();
    const record = fresh(await create(key));
    assert.deepEqual(await find(record.id), record);
    const earlier = { requestHash: key.requestHash, recordId: record.id };
    assert.deepEqual(await idempotency.find(key, at(1)), earlier);
    assert.deepEqual(await create({ ...key, requestHash: 'another' }), earlier, 'as it was first');
    assert.equal(await count(), before + 1);
  }
}

async function createdAtOnce(all: Creations): Promise<void> {
  for (const [index, { create, count }] of all.entries()) {
    const before = await count();
    const key = keyed(`race ${String(index)}`);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => create(key)));
    const [record, ...others] = outcomes.filter((outcome) => !isEarlier(outcome));
    assert.deepEqual(others, []);
    const { id } = fresh(record ?? 'none');
    const isSame = outcomes.filter(isEarlier).every(({ recordId }) => recordId === id);
    assert.ok(isSame, 'all get the same record');
    assert.equal(await count(), before + 1);
  }
}

function createProduct(storage: Pick<Stores, 'transaction'>, key: KeyedRequest, now = at(1)) {
  return createUnder(storage, key, (tx) => tx.products.create(product), now);
}

async function createProducts(
  storage: Pick<Stores, 'transaction'>,
  keys: readonly KeyedRequest[],
  now = at(1),
) {
  return await Promise.all(keys.map((key) => createProduct(storage, key, now)));
}

export const idempotencyChecks = [
  ...storeChecks(['idempotency', 'transaction', 'users', 'orders', 'products', 'comments'], {
    'idempotency-create: each creation stores the record as without a key, and the key with it': async (
      storage,
    ) => {
      await createdOnce(storage, await creations(storage));
    },

    'idempotency-refused: a refusal stores nothing, and leaves the key free': async (storage) => {
      const { idempotency, users } = storage;
      const { userId, order } = await addUserWithOrder(storage);
      const key = keyed('key');
      const comment = { orderId: order.id, userId, text: 'Text' };
      assert.equal(
        await createUnder(storage, key, (tx) => tx.users.create(newUser(1), at(1))),
        'email-taken',
      );
      assert.equal(
        await createUnder(storage, key, (tx) => tx.orders.create(newOrder('999'), at(1))),
        'user-not-found',
      );
      const ofNoOrder = { ...comment, orderId: '999' };
      assert.equal(
        await createUnder(storage, key, (tx) => tx.comments.create(ofNoOrder, at(1))),
        'order-not-found',
      );
      const ofNoUser = { ...comment, userId: '999' };
      assert.equal(
        await createUnder(storage, key, (tx) => tx.comments.create(ofNoUser, at(1))),
        'user-not-found',
      );
      assert.equal(await idempotency.find(key, at(1)), undefined);
      fresh(await createUnder(storage, key, (tx) => tx.users.create(newUser(2), at(1))));
      assert.equal(await users.count(everyUser), 2);
    },
  }),

  ...storeChecks(['idempotency', 'transaction', 'apiKeys', 'outbox'], {
    'idempotency-secrets: API keys and webhooks are created once, also at once': async (storage) => {
      await createdOnce(storage, secretCreations(storage));
      await createdAtOnce(secretCreations(storage));
    },
  }),

  ...storeChecks(['idempotency', 'transaction', 'products'], {
    'idempotency-apart: the same key of another caller, and another key of the same caller, are free': async (
      storage,
    ) => {
      const { idempotency } = storage;
      const keys = [keyed('a'), keyed('b'), keyed('A'), keyed('a', { caller: 'anonymous' })];
      const ids = (await createProducts(storage, keys)).map((outcome) => fresh(outcome).id);
      assert.equal(new Set(ids).size, keys.length);
      for (const [index, key] of keys.entries()) {
        assert.equal((await idempotency.find(key, at(1)))?.recordId, ids[index]);
      }
    },

    'idempotency-outlives: a key outlives its record, so that a repetition does not create another': async (
      storage,
    ) => {
      const key = keyed('key');
      const { id } = fresh(await createProduct(storage, key, at(1)));
      await storage.products.delete(id);
      const again = await createProduct(storage, key, at(2));
      assert.deepEqual(again, { requestHash: key.requestHash, recordId: id });
      assert.equal(await storage.products.count(), 0);
    },

    'idempotency-expired: a key is free from the moment when it expires, before it is deleted': async (
      storage,
    ) => {
      const { idempotency } = storage;
      const key = keyed('key', { expiresAt: at(10) });
      const first = fresh(await createProduct(storage, key, at(1)));
      assert.equal((await idempotency.find(key, at(9)))?.recordId, first.id);
      assert.equal(await idempotency.find(key, at(10)), undefined);
      const next = { ...key, requestHash: 'another', expiresAt: at(20) };
      const second = fresh(await createProduct(storage, next, at(10)));
      const found = await idempotency.find(key, at(19));
      assert.deepEqual(found, { requestHash: 'another', recordId: second.id });
    },

    'idempotency-sweep: deleteExpired deletes the oldest of those that have expired, and no other': async (
      storage,
    ) => {
      const { idempotency } = storage;
      const keys = [5, 3, 4, 20].map((second) => keyed(`key ${String(second)}`, { expiresAt: at(second) }));
      await createProducts(storage, keys);
      const left = async () => {
        const found = await Promise.all(keys.map((key) => idempotency.find(key, at(1))));
        return found.map((earlier) => earlier !== undefined);
      };
      assert.equal(await idempotency.deleteExpired(at(2), 9), 0);
      assert.equal(await idempotency.deleteExpired(at(5), 2), 2);
      assert.deepEqual(await left(), [true, false, false, true]);
      assert.equal(await idempotency.deleteExpired(at(5), 9), 1);
      assert.deepEqual(await left(), [false, false, false, true]);
      assert.equal(await storage.products.count(), keys.length, 'records stay');
    },
  }),

  ...storeChecks(['idempotency', 'transaction', 'users', 'orders', 'products', 'comments'], {
    'idempotency-race: of creations under one key at once exactly one creates, and the others get its record':
      async (storage) => {
        await createdAtOnce(await creations(storage));
      },
  }),

  ...storeChecks(['idempotency', 'transaction', 'products'], {
    'idempotency-race-expired: of creations at once under a key that has expired exactly one creates': async (
      storage,
    ) => {
      const { products } = storage;
      const key = keyed('key', { expiresAt: at(2) });
      fresh(await createProduct(storage, key, at(1)));
      const again = Array.from({ length: 8 }, () => ({ ...key, expiresAt: at(9) }));
      const outcomes = await createProducts(storage, again, at(3));
      assert.equal(outcomes.filter((outcome) => !isEarlier(outcome)).length, 1);
      assert.equal(await products.count(), 2);
    },
  }),
];
