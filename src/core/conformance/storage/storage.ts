/** The checks that a storage adapter must pass: every rule of the storage port. */
import assert from 'node:assert/strict';
import { ServiceError } from '../../model/error.js';
import type { Storage } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { type Check, checks, musts } from '../check.js';
import { apiKeyChecks } from './api-keys.js';
import { commentChecks } from './comments.js';
import { externalIdentityChecks } from './external-identities.js';
import { freshReadChecks } from './fresh-reads.js';
import { idempotencyChecks } from './idempotency.js';
import { importChecks } from './imports.js';
import { lastAdminChecks } from './last-admin.js';
import { orderChecks } from './orders.js';
import { postChecks } from './posts.js';
import { productChecks } from './products.js';
import { addUser } from './records.js';
import { refreshTokenChecks } from './refresh-tokens.js';
import { userListChecks } from './user-lists.js';
import { userRaceChecks } from './user-races.js';
import { userSessionChecks } from './user-sessions.js';
import { userChecks } from './users.js';

/** The checks of a storage as a whole. */
const lifecycleChecks = [
  ...checks<Storage>({
    'storage-ping: ping resolves while the store is open, and rejects with unavailable once it is closed':
      async (storage) => {
        await storage.ping();
        await storage.close();
        await assert.rejects(
          storage.ping(),
          (error) => error instanceof ServiceError && error.code === 'unavailable',
        );
      },

    'storage-close-twice: closing twice is closing once': async (storage) => {
      await storage.close();
      await storage.close();
    },
  }),

  ...musts<Storage>({
    'storage-apart: each new store is empty, even if another holds records': async (make) => {
      const first = await make();
      await addUser(first, 1);
      await first.close();
      const second = await make();
      const count = await second.users.count(everyUser);
      await second.close();
      assert.equal(count, 0, 'make() gives an empty store');
    },
  }),
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
export const storageChecks: readonly Check<Storage>[] = [
  ...lifecycleChecks,
  ...importChecks,
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
  ...freshReadChecks,
];
