/** Hashes passwords with argon2id at its lowest cost, for suites that are about other things than its strength. */

import { hash } from '@node-rs/argon2';
import { argon2Hasher } from '../../src/core/identity/argon2.js';
import type { PasswordHasher } from '../../src/core/ports/sign-in.js';

export const quickHasher: PasswordHasher = {
  // A PHC string says itself what it takes to verify it.
  ...argon2Hasher(),
  hash: (password) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 }),
};
