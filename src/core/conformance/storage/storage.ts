/** The checks that a storage adapter must pass: every rule of the storage port. */
import type { Storage, Stores } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { type Check, checks, musts, rejectsWith, type StorageCheck } from '../check.js';
import { addUser } from '../samples.js';
import { auditChecks } from './audit.js';
import { transactionChecks } from './transaction.js';
import { commentChecks } from './comments.js';
import { idempotencyChecks } from './idempotency.js';
import { orderChecks } from './orders.js';
import { outboxChecks } from './outbox.js';
import { postChecks } from './posts.js';
import { productChecks } from './products.js';
import { storedChecks } from './stored.js';
import { apiKeyChecks, externalIdentityChecks } from './users/credentials.js';
import { userListChecks } from './users/user-lists.js';
import { lastAdminChecks, userRaceChecks } from './users/user-races.js';
import { refreshTokenChecks, userSessionChecks } from './users/user-sessions.js';
import { userChecks } from './users/users.js';

/** The checks of a storage as a whole. */
const lifecycleChecks = [
  ...checks<Storage>({
    'storage-ping: ping resolves while the store is open, and rejects with unavailable once it is closed': (
      storage,
    ) => [
      [() => storage.ping(), undefined],
      [() => storage.close(), undefined],
      [() => rejectsWith('unavailable', storage.ping()), undefined],
    ],

    'storage-close-twice: closing twice is closing once': (storage) => [
      [() => storage.close(), undefined],
      [() => storage.close(), undefined],
    ],
  }),

  ...musts<Storage>({
    'storage-apart: each new store is empty, even if another holds records': async (make) => {
      const first = await make();
      await addUser(first, 1);
      await first.close();
      const second = await make();
      const count = await second.users.count(everyUser);
      await second.close();
      return [[() => count, 0]];
    },
  }),
];

const portChecks: readonly StorageCheck[] = [
  ...userChecks,
  ...userListChecks,
  ...userRaceChecks,
  ...userSessionChecks,
  ...lastAdminChecks,
  ...externalIdentityChecks,
  ...postChecks,
  ...orderChecks,
  ...productChecks,
  ...commentChecks,
  ...refreshTokenChecks,
  ...apiKeyChecks,
  ...idempotencyChecks,
  ...auditChecks,
  ...transactionChecks,
  ...outboxChecks,
  ...storedChecks,
];

/**
 * All checks, to be run by any test runner.
 *
 * @example
 * ```ts
 * for (const check of storageChecks) {
 *   it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => makeEmptyStorage()));
 * }
 * ```
 */
export const storageChecks: readonly Check<Storage>[] = [...lifecycleChecks, ...portChecks];

/**
 * The checks of a storage that has only these stores: all that use no others.
 *
 * @throws an error when a store has no such check, because its records refer to those of a store that is not given
 *
 * @example
 * ```ts
 * for (const check of storageChecksOf('products')) {
 *   it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => ({ products: makeEmptyProducts() })));
 * }
 * ```
 */
export function storageChecksOf<Store extends keyof Stores>(
  ...stores: readonly Store[]
): readonly StorageCheck<Store>[] {
  const given: ReadonlySet<keyof Stores> = new Set(stores);
  const found = portChecks.filter((check) => check.stores.every((store) => given.has(store)));
  for (const store of given) {
    if (found.some((check) => check.stores.includes(store))) continue;
    const needed = portChecks.find((check) => check.stores.includes(store))?.stores ?? [];
    throw new Error(`the checks of the store ${store} need the stores ${needed.join(', ')}`);
  }
  return found;
}
