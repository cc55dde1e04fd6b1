/** The checks that a storage adapter must pass: every rule of the storage port, for whoever writes one. */
import type { Storage } from '../ports/storage.js';
import type { Check } from './check.js';
import { apiKeyChecks } from './storage/api-keys.js';
import { commentChecks } from './storage/comments.js';
import { externalIdentityChecks } from './storage/external-identities.js';
import { importChecks } from './storage/imports.js';
import { lifecycleChecks } from './storage/lifecycle.js';
import { orderRaceChecks } from './storage/order-races.js';
import { orderChecks } from './storage/orders.js';
import { postChecks } from './storage/posts.js';
import { productChecks } from './storage/products.js';
import { refreshTokenChecks } from './storage/refresh-tokens.js';
import { userListChecks } from './storage/user-lists.js';
import { userRaceChecks } from './storage/user-races.js';
import { userChecks } from './storage/users.js';

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
  ...externalIdentityChecks,
  ...postChecks,
  ...orderChecks,
  ...orderRaceChecks,
  ...productChecks,
  ...commentChecks,
  ...refreshTokenChecks,
  ...apiKeyChecks,
];
