/** Hashes passwords with argon2id, on worker threads, so that the event loop is not blocked. */

import { hash, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '../ports/sign-in.js';

/**
 * 19 MiB, two passes and one lane, as OWASP's Password Storage Cheat Sheet recommends. The package's default algorithm is argon2id;
 * its constant for it cannot be imported under isolated modules.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * A hasher that writes PHC strings (`$argon2id$v=19$m=…`), each with its own salt.
 *
 * @example
 * ```ts
 * const hasher = argon2Hasher();
 * await hasher.verify(await hasher.hash('correct horse'), 'correct horse'); // true
 * ```
 */
export function argon2Hasher(): PasswordHasher {
  return {
    hash: (password) => hash(password, PARAMETERS),
    verify: async (hash, password) => {
      try {
        return await verify(hash, password);
      } catch {
        // A text that is not a PHC string matches no password.
        return false;
      }
    },
  };
}
