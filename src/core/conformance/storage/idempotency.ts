/** The checks of a store of idempotency keys: a record and its key are stored together, once, or not at all. */
import assert from 'node:assert/strict';
import { type EarlierCreation, isEarlier, type KeyedRequest, once } from '../../ports/idempotency-store.js';
import type { NewProduct } from '../../ports/product-store.js';
import type { Product } from '../../model/product.js';
import type { Stores } from '../../ports/storage.js';
import { storeChecks } from '../check.js';
import { at } from '../samples.js';

/** A request under a key that is valid for a minute. */
function keyed(keyHash: string, fields: Partial<KeyedRequest> = {}): KeyedRequest {
  return { caller: 'user:1', keyHash, requestHash: `request ${keyHash}`, expiresAt: at(59), ...fields };
}

const lamp: NewProduct = { name: 'Lamp', description: undefined, priceCents: 100 };

/** Creates a product under a key. */
function createProduct(
  { transaction }: Pick<Stores, 'transaction'>,
  key: KeyedRequest,
  now = at(1),
): Promise<Product | EarlierCreation> {
  return transaction((tx) => once(tx, key, now, () => tx.products.create(lamp)));
}

/** @returns the product; fails for an earlier creation */
function fresh(outcome: Product | EarlierCreation | undefined): Product {
  assert.ok(outcome !== undefined && !isEarlier(outcome), `not created: ${JSON.stringify(outcome)}`);
  return outcome;
}

async function createProducts(
  storage: Pick<Stores, 'transaction'>,
  keys: readonly KeyedRequest[],
  now = at(1),
) {
  return await Promise.all(keys.map((key) => createProduct(storage, key, now)));
}

export const idempotencyChecks = storeChecks(['idempotency', 'transaction', 'products'], {
  'idempotency-create: a creation stores the record as without a key, and the key with it': async (
    storage,
  ) => {
    const { idempotency, products } = storage;
    const key = keyed('key');
    const record = fresh(await createProduct(storage, key));
    assert.deepEqual(await products.find(record.id), record);
    const earlier = { requestHash: key.requestHash, recordId: record.id };
    assert.deepEqual(await idempotency.find(key, at(1)), earlier);
    const again = await createProduct(storage, { ...key, requestHash: 'another' });
    assert.deepEqual(again, earlier, 'as it was first');
    assert.equal(await products.count(), 1);
  },

  'idempotency-refused: a refusal leaves the key free, and so does work that fails': async (storage) => {
    const { idempotency, transaction } = storage;
    const key = keyed('key');
    const under = (create: () => Promise<string>) => transaction((tx) => once(tx, key, at(1), create));
    assert.equal(await under(() => Promise.resolve('refused')), 'refused');
    assert.equal(await idempotency.find(key, at(1)), undefined);
    await assert.rejects(under(() => Promise.reject(new Error('failed'))));
    assert.equal(await idempotency.find(key, at(1)), undefined);
    fresh(await createProduct(storage, key));
  },

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

  'idempotency-race: of creations under one key at once exactly one creates, and the others get its record':
    async (storage) => {
      const outcomes = await createProducts(
        storage,
        Array.from({ length: 8 }, () => keyed('race')),
      );
      const [record, ...others] = outcomes.filter((outcome) => !isEarlier(outcome));
      assert.deepEqual(others, []);
      const { id } = fresh(record);
      const isSame = outcomes.filter(isEarlier).every(({ recordId }) => recordId === id);
      assert.ok(isSame, 'all get the same record');
      assert.equal(await storage.products.count(), 1);
    },

  'idempotency-race-expired: of creations at once under a key that has expired exactly one creates': async (
    storage,
  ) => {
    const key = keyed('key', { expiresAt: at(2) });
    fresh(await createProduct(storage, key, at(1)));
    const again = Array.from({ length: 8 }, () => ({ ...key, expiresAt: at(9) }));
    const outcomes = await createProducts(storage, again, at(3));
    assert.equal(outcomes.filter((outcome) => !isEarlier(outcome)).length, 1);
    assert.equal(await storage.products.count(), 2);
  },
});
