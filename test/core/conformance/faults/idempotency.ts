/** Stores that break a rule of idempotency keys. */
import { setImmediate as tick } from 'node:timers/promises';
import type { IdempotencyKey, IdempotencyStore } from '../../../../src/core/ports/idempotency-store.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { changeInside, faults, splitTransactions, storeFaults } from './fault.js';

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
    change(storage, (keys) => ({
      find: (key, now) => keys.find(changed(key), now),
      claim: (request, now) => keys.claim(changed(request), now),
      keep: (key, id) => keys.keep(changed(key), id),
    }));
  };
}

export const idempotencyFaults = [
  ...faults<Storage>({
    'keys are not kept: idempotency-create, idempotency-race': (storage) => {
      change(storage, () => ({ claim: () => Promise.resolve(undefined) }));
    },
    'a refusal uses the key up: idempotency-refused': (storage) => {
      change(storage, (keys) => ({
        keep: (key, id) => (id === undefined ? Promise.resolve() : keys.keep(key, id)),
      }));
    },
    'all callers share their keys: idempotency-apart': changeKey((key) => ({ ...key, caller: 'everybody' })),
    'keys that differ in case are one: idempotency-apart': changeKey((key) => ({
      ...key,
      keyHash: key.keyHash.toLowerCase(),
    })),
    'the hash of the last request is kept: idempotency-create': (storage) => {
      change(storage, (keys) => ({
        async claim(request, now) {
          const earlier = await keys.claim(request, now);
          return earlier && { ...earlier, requestHash: request.requestHash };
        },
      }));
    },
    'a key goes with its record: idempotency-outlives': (storage) => {
      change(storage, (keys, { products }) => ({
        async claim(request, now) {
          const earlier = await keys.claim(request, now);
          if (earlier === undefined || (await products.find(earlier.recordId)) !== undefined) return earlier;
          await keys.keep(request, undefined);
          return await keys.claim(request, now);
        },
      }));
    },
    'a key lasts until it is deleted: idempotency-expired, idempotency-race-expired': (storage) => {
      const early = '2026-01-01T00:00:00.000000Z';
      change(storage, (keys) => ({
        find: (key) => keys.find(key, early),
        claim: (request) => keys.claim(request, early),
      }));
    },
    'a key lasts a moment longer: idempotency-expired': (storage) => {
      change(storage, (keys) => ({
        find: async (key, now) =>
          (await keys.find(key, now)) ?? (await keys.find(key, now.replace('10.000000Z', '09.999999Z'))),
      }));
    },
    'the key is looked for before the record is stored, not with it: idempotency-race, idempotency-race-expired':
      (storage) => {
        splitTransactions(storage);
        const keys = { ...storage.idempotency };
        storage.idempotency.claim = async (request, now) => {
          const earlier = await keys.find(request, now);
          await tick();
          if (earlier === undefined) await keys.claim(request, now);
          return earlier;
        };
      },
  }),

  ...storeFaults('idempotency', {
    deleteExpired: {
      'a sweep deletes whatever has expired: idempotency-sweep': (deleteExpired) => (now) =>
        deleteExpired(now, 1_000),
      'a sweep deletes nothing: idempotency-sweep': () => () => Promise.resolve(0),
    },
  }),
];
