/** The checks that a storage adapter must pass: every rule of the storage port. */
import type { Storage } from '../../ports/storage.js';
import type { Check } from '../check.js';
import { apiKeyChecks } from './api-keys.js';
import { commentChecks } from './comments.js';
import { externalIdentityChecks } from './external-identities.js';
import { freshReadChecks } from './fresh-reads.js';
import { idempotencyChecks } from './idempotency.js';
import { importChecks } from './imports.js';
import { lastAdminChecks } from './last-admin.js';
import { lifecycleChecks } from './lifecycle.js';
import { orderRaceChecks } from './order-races.js';
import { orderChecks } from './orders.js';
import { postChecks } from './posts.js';
import { productChecks } from './products.js';
import { refreshTokenChecks } from './refresh-tokens.js';
import { userListChecks } from './user-lists.js';
import { userRaceChecks } from './user-races.js';
import { userSessionChecks } from './user-sessions.js';
import { userChecks } from './users.js';

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
  ...orderRaceChecks,
  ...productChecks,
  ...commentChecks,
  ...refreshTokenChecks,
  ...apiKeyChecks,
  ...idempotencyChecks,
  ...freshReadChecks,
];
