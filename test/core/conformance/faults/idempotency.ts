/** Stores that break a rule of idempotency keys. */
import { setImmediate as tick } from 'node:timers/promises';
import {
  type EarlierCreation,
  isEarlier,
  type IdempotencyStore,
  type KeyedRequest,
} from '../../../../src/core/ports/idempotency-store.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import type { Faults } from './fault.js';

type Create = (request: KeyedRequest, draft: never, now: string) => Promise<object | string>;

/** Wraps every creation of a store. */
function wrap({ idempotency }: Storage, around: (create: Create) => Create): void {
  for (const method of [
    ...(['createUser', 'createOrder', 'createProduct', 'createComment'] as const),
    ...(['createApiKey', 'createWebhook'] as const),
  ]) {
    const create = idempotency[method].bind(idempotency) as Create;
    Reflect.set(idempotency, method, around(create));
  }
}

function changeRequest(change: (request: KeyedRequest) => KeyedRequest): (storage: Storage) => void {
  return (storage) => {
    const find = storage.idempotency.find.bind(storage.idempotency);
    storage.idempotency.find = (key, now) => find(change({ ...key, requestHash: '', expiresAt: '' }), now);
    wrap(storage, (create) => (request, draft, now) => create(change(request), draft, now));
  };
}

/** The record's id, if it was created. */
function idOf(outcome: object | string): string | undefined {
  return typeof outcome === 'object' && 'id' in outcome ? String(outcome.id) : undefined;
}

/** A store of keys beside the store of records, each right by itself. */
function keepApart(storage: Storage, between: (request: KeyedRequest) => Promise<void>): void {
  const known = new Map<string, EarlierCreation & { readonly expiresAt: string }>();
  const nameOf = ({ caller, keyHash }: Pick<KeyedRequest, 'caller' | 'keyHash'>) => `${caller} ${keyHash}`;
  const find: IdempotencyStore['find'] = (key, now) => {
    const row = known.get(nameOf(key));
    const isFree = row === undefined || row.expiresAt <= now;
    return Promise.resolve(isFree ? undefined : { requestHash: row.requestHash, recordId: row.recordId });
  };
  storage.idempotency.find = find;
  let uses = 0;
  wrap(storage, (create) => async (request, draft, now) => {
    const earlier = await find(request, now);
    if (earlier !== undefined) return earlier;
    await between(request);
    const outcome = await create({ ...request, keyHash: `${request.keyHash} ${String(uses++)}` }, draft, now);
    const { requestHash, expiresAt } = request;
    const recordId = idOf(outcome);
    if (recordId !== undefined) known.set(nameOf(request), { requestHash, expiresAt, recordId });
    return outcome;
  });
}

export const idempotencyFaults: Faults = {
  'keys are not kept': [
    ['idempotency-create', 'idempotency-race', 'idempotency-secrets'],
    (storage) => {
      let uses = 0;
      wrap(
        storage,
        (create) => (request, draft, now) =>
          create({ ...request, keyHash: `${request.keyHash} ${String(uses++)}` }, draft, now),
      );
    },
  ],
  'a refusal uses the key up': [
    ['idempotency-refused'],
    (storage) => {
      const used = new Set<string>();
      wrap(storage, (create) => async (request, draft, now) => {
        if (used.has(request.keyHash)) return { requestHash: request.requestHash, recordId: '1' };
        const outcome = await create(request, draft, now);
        if (typeof outcome === 'string') used.add(request.keyHash);
        return outcome;
      });
    },
  ],
  'all callers share their keys': [
    ['idempotency-apart'],
    changeRequest((request) => ({ ...request, caller: 'everybody' })),
  ],
  'keys that differ in case are one': [
    ['idempotency-apart'],
    changeRequest((request) => ({ ...request, keyHash: request.keyHash.toLowerCase() })),
  ],
  'the hash of the last request is kept': [
    ['idempotency-create'],
    (storage) => {
      wrap(storage, (create) => async (request, draft, now) => {
        const outcome = await create(request, draft, now);
        if (typeof outcome === 'string' || !isEarlier(outcome)) return outcome;
        return { ...outcome, requestHash: request.requestHash };
      });
    },
  ],
  'a key goes with its record': [
    ['idempotency-outlives'],
    (storage) => {
      const { idempotency, products } = storage;
      const create = idempotency.createProduct.bind(idempotency);
      let uses = 0;
      idempotency.createProduct = async (request, product, now) => {
        const outcome = await create(request, product, now);
        if (!isEarlier(outcome) || (await products.find(outcome.recordId)) !== undefined) return outcome;
        return await create({ ...request, keyHash: `${request.keyHash} ${String(uses++)}` }, product, now);
      };
    },
  ],
  'a key lasts until it is deleted': [
    ['idempotency-expired', 'idempotency-race-expired'],
    (storage) => {
      const { idempotency } = storage;
      const find = idempotency.find.bind(idempotency);
      const early = '2026-01-01T00:00:00.000000Z';
      idempotency.find = (key) => find(key, early);
      wrap(
        storage,
        (create) => async (request, draft, now) =>
          (await find(request, early)) ?? (await create(request, draft, now)),
      );
    },
  ],
  'a key lasts a moment longer': [
    ['idempotency-expired'],
    (storage) => {
      const { idempotency } = storage;
      const find = idempotency.find.bind(idempotency);
      idempotency.find = async (key, now) =>
        (await find(key, now)) ?? (await find(key, now.replace('10.000000Z', '09.999999Z')));
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
      keepApart(storage, async () => {
        await tick();
      });
    },
  ],
};
