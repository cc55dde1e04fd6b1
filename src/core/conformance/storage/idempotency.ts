/** The checks of a store of idempotency keys: a record and its key are stored together, once, or not at all. */
import assert from 'node:assert/strict';
import { type EarlierCreation, isEarlier, type KeyedRequest, once } from '../../ports/idempotency-store.js';
import type { NewProduct } from '../../ports/product-store.js';
import type { Product } from '../../model/product.js';
import type { Stores } from '../../ports/storage.js';
import { type Row, storeChecks } from '../check.js';
import { at } from '../samples.js';

/** A request under a key that is valid for a minute. */
function keyed(keyHash: string, fields: Partial<KeyedRequest> = {}): KeyedRequest {
  return { caller: 'user:1', keyHash, requestHash: `request ${keyHash}`, expiresAt: at(59), ...fields };
}

const key = keyed('key');
const lamp: NewProduct = { name: 'Lamp', description: undefined, priceCents: 100 };

/** Creates a product under each key at once. */
async function createAll(
  { transaction }: Pick<Stores, 'transaction'>,
  keys: readonly KeyedRequest[],
  now = at(1),
): Promise<readonly (Product | EarlierCreation)[]> {
  const create = (request: KeyedRequest) =>
    transaction((tx) => once(tx, request, now, () => tx.products.create(lamp)));
  return await Promise.all(keys.map(create));
}

/** Creates a product under a key. @returns its id; fails for an earlier creation */
async function idOf(
  storage: Pick<Stores, 'transaction'>,
  request: KeyedRequest,
  now?: string,
): Promise<string> {
  const [outcome] = await createAll(storage, [request], now);
  assert.ok(outcome !== undefined && !isEarlier(outcome), `not created: ${JSON.stringify(outcome)}`);
  return outcome.id;
}

export const idempotencyChecks = storeChecks(['idempotency', 'transaction', 'products'], {
  'idempotency-create: a creation stores the record as without a key, and the key with it': async (
    storage,
  ) => {
    const { idempotency, products } = storage;
    const recordId = await idOf(storage, key);
    const earlier = { requestHash: key.requestHash, recordId };
    return [
      [() => products.find(recordId), { ...lamp, id: recordId, version: 1 }],
      [() => idempotency.find(key, at(1)), earlier],
      [() => createAll(storage, [{ ...key, requestHash: 'another' }]), [earlier]], // as it was first
      [() => products.count(), 1],
    ];
  },

  'idempotency-refused: a refusal leaves the key free, and so does work that fails': (storage) => {
    const { idempotency, transaction } = storage;
    const under = (create: () => Promise<string>) => transaction((tx) => once(tx, key, at(1), create));
    return [
      [() => under(() => Promise.resolve('refused')), 'refused'],
      [() => idempotency.find(key, at(1)), undefined],
      [() => assert.rejects(under(() => Promise.reject(new Error('failed')))), undefined],
      [() => idempotency.find(key, at(1)), undefined],
      [async () => typeof (await idOf(storage, key)), 'string'],
    ];
  },

  'idempotency-apart: a key of another caller, and another key of the same caller, are free': async (
    storage,
  ) => {
    const keys = [keyed('a'), keyed('b'), keyed('A'), keyed('a', { caller: 'anonymous' })];
    const ids = (await createAll(storage, keys)).map((outcome) =>
      isEarlier(outcome) ? undefined : outcome.id,
    );
    assert.equal(new Set(ids).size, keys.length);
    return keys.map((each, index) => [
      async () => (await storage.idempotency.find(each, at(1)))?.recordId,
      ids[index],
    ]);
  },

  'idempotency-outlives: a key outlives its record, so that nothing is created again': async (storage) => {
    const recordId = await idOf(storage, key);
    return [
      [() => storage.products.delete(recordId), 'deleted'],
      [() => createAll(storage, [key], at(2)), [{ requestHash: key.requestHash, recordId }]],
      [() => storage.products.count(), 0],
    ];
  },

  'idempotency-expired: a key is free from its expiry on, before it is deleted': async (storage) => {
    const { idempotency } = storage;
    const brief = keyed('key', { expiresAt: at(10) });
    const first = await idOf(storage, brief);
    assert.equal((await idempotency.find(brief, at(9)))?.recordId, first);
    assert.equal(await idempotency.find(brief, at(10)), undefined);
    const next = { ...brief, requestHash: 'another', expiresAt: at(20) };
    const second = await idOf(storage, next, at(10));
    return [[() => idempotency.find(brief, at(19)), { requestHash: 'another', recordId: second }]];
  },

  'idempotency-sweep: deleteExpired deletes the oldest of those that have expired': async (storage) => {
    const { idempotency } = storage;
    const keys = [5, 3, 4, 20].map((second) => keyed(`${second}`, { expiresAt: at(second) }));
    await createAll(storage, keys);
    const left = (...hashes: readonly string[]): Row => [
      async () => {
        const found = await Promise.all(keys.map((each) => idempotency.find(each, at(1))));
        return keys.filter((_, index) => found[index] !== undefined).map(({ keyHash }) => keyHash);
      },
      hashes,
    ];
    return [
      [() => idempotency.deleteExpired(at(2), 9), 0],
      [() => idempotency.deleteExpired(at(5), 2), 2],
      left('5', '20'),
      [() => idempotency.deleteExpired(at(5), 9), 1],
      left('20'),
      [() => storage.products.count(), keys.length], // the records stay
    ];
  },

  'idempotency-race: of creations under one key at once exactly one creates, and the others get its record':
    async (storage) => {
      const outcomes = await createAll(storage, Array<KeyedRequest>(8).fill(key));
      const [record, ...others] = outcomes.filter((outcome) => !isEarlier(outcome));
      const recordId = record && !isEarlier(record) ? record.id : undefined;
      const earlier = { requestHash: key.requestHash, recordId };
      return [
        [() => others, []],
        [() => outcomes.filter(isEarlier), Array(7).fill(earlier)],
        [() => storage.products.count(), 1],
      ];
    },

  'idempotency-race-expired: of creations at once under an expired key one creates': async (storage) => {
    await idOf(storage, { ...key, expiresAt: at(2) });
    const outcomes = await createAll(
      storage,
      Array<KeyedRequest>(8).fill({ ...key, expiresAt: at(9) }),
      at(3),
    );
    return [
      [() => outcomes.filter((outcome) => !isEarlier(outcome)).length, 1],
      [() => storage.products.count(), 2],
    ];
  },
});
