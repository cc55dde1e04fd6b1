/** Stores that break a rule of idempotency keys. */
import { setImmediate as tick } from 'node:timers/promises';
import type { IdempotencyKey, IdempotencyStore } from '../../../../src/core/ports/idempotency-store.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { changeInside, type Faults, splitTransactions } from './fault.js';

/** Changes the keys in transactions, and outside of them. */
function change(
  storage: Storage,
  changed: (keys: IdempotencyStore, stores: Pick<Storage, 'products'>) => Partial<IdempotencyStore>,
): void {
  const { idempotency } = storage;
  changeInside(storage, (tx) => ({
    idempotency: { ...tx.idempotency, ...changed(tx.idempotency, tx) },
  }));
  Object.assign(idempotency, changed({ ...idempotency }, storage));
}

/** Changes the keys themselves. */
function changeKey(changed: <Key extends IdempotencyKey>(key: Key) => Key): (storage: Storage) => void {
  return (storage) => {
    change(storage, ({ find, claim, keep }) => ({
      find: (key, now) => find(changed(key), now),
      claim: (request, now) => claim(changed(request), now),
      keep: (key, id) => keep(changed(key), id),
    }));
  };
}

export const idempotencyFaults: Faults = {
  'keys are not kept': [
    ['idempotency-create', 'idempotency-race'],
    (storage) => {
      change(storage, () => ({ claim: () => Promise.resolve(undefined) }));
    },
  ],
  'a refusal uses the key up': [
    ['idempotency-refused'],
    (storage) => {
      change(storage, ({ keep }) => ({
        keep: (key, id) => (id === undefined ? Promise.resolve() : keep(key, id)),
      }));
    },
  ],
  'all callers share their keys': [
    ['idempotency-apart'],
    changeKey((key) => ({ ...key, caller: 'everybody' })),
  ],
  'keys that differ in case are one': [
    ['idempotency-apart'],
    changeKey((key) => ({ ...key, keyHash: key.keyHash.toLowerCase() })),
  ],
  'the hash of the last request is kept': [
    ['idempotency-create'],
    (storage) => {
      change(storage, ({ claim }) => ({
        async claim(request, now) {
          const earlier = await claim(request, now);
          return earlier && { ...earlier, requestHash: request.requestHash };
        },
      }));
    },
  ],
  'a key goes with its record': [
    ['idempotency-outlives'],
    (storage) => {
      change(storage, ({ claim, keep }, { products }) => ({
        async claim(request, now) {
          const earlier = await claim(request, now);
          if (earlier === undefined || (await products.find(earlier.recordId)) !== undefined) return earlier;
          await keep(request, undefined);
          return await claim(request, now);
        },
      }));
    },
  ],
  'a key lasts until it is deleted': [
    ['idempotency-expired', 'idempotency-race-expired'],
    (storage) => {
      const early = '2026-01-01T00:00:00.000000Z';
      change(storage, ({ find, claim }) => ({
        find: (key) => find(key, early),
        claim: (request) => claim(request, early),
      }));
    },
  ],
  'a key lasts a moment longer': [
    ['idempotency-expired'],
    (storage) => {
      change(storage, ({ find }) => ({
        find: async (key, now) =>
          (await find(key, now)) ?? (await find(key, now.replace('10.000000Z', '09.999999Z'))),
      }));
    },
  ],
  'a sweep deletes whatever has expired': [
    ['idempotency-sweep'],
    ({ idempotency }) => {
      const deleteExpired = idempotency.deleteExpired.bind(idempotency);
      idempotency.deleteExpired = (now) => deleteExpired(now, 1_000);
    },
  ],
  'a sweep deletes nothing': [
    ['idempotency-sweep'],
    ({ idempotency }) => {
      idempotency.deleteExpired = () => Promise.resolve(0);
    },
  ],
  'the key is looked for before the record is stored, not with it': [
    ['idempotency-race', 'idempotency-race-expired'],
    (storage) => {
      splitTransactions(storage);
      const { find, claim } = { ...storage.idempotency };
      storage.idempotency.claim = async (request, now) => {
        const earlier = await find(request, now);
        await tick();
        if (earlier === undefined) await claim(request, now);
        return earlier;
      };
    },
  ],
};
