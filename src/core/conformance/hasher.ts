/** The checks that a password hasher must pass. */
import assert from 'node:assert/strict';
import type { PasswordHasher } from '../ports/sign-in.js';
import { musts } from './check.js';

const password = 'correct horse';

/**
 * All checks. They hash some twenty passwords: a test runner should give each a few seconds.
 *
 * @example
 * ```ts
 * for (const check of hasherChecks) {
 *   it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => argon2Hasher()));
 * }
 * ```
 */
export const hasherChecks = musts<PasswordHasher>({
  'hasher-verify: a hash verifies its own password and no other': async (make) => {
    const hasher = await make();
    const hash = await hasher.hash(password);
    assert.equal(await hasher.verify(hash, password), true);
    for (const other of ['', 'Correct horse', 'correct horse ', 'correct hors', hash]) {
      assert.equal(await hasher.verify(hash, other), false, other);
    }
  },

  'hasher-salt: two hashes of a password differ': async (make) => {
    const hasher = await make();
    const hashes = [await hasher.hash(password), await hasher.hash(password)];
    assert.notEqual(hashes[0], hashes[1]);
    for (const hash of hashes) assert.equal(await hasher.verify(hash, password), true);
  },

  'hasher-hidden: a hash does not show the password': async (make) => {
    const hash = await (await make()).hash(password);
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
      assert.ok(!hash.includes(Buffer.from(password).toString(encoding)), `as ${encoding}`);
    }
  },

  'hasher-whole: all 128 characters of a password count, also after a NUL, and no character equals another':
    async (make) => {
      const hasher = await make();
      for (const [one, other] of [
        [`${'💡'.repeat(127)}a`, `${'💡'.repeat(127)}b`],
        ['password\u0000a', 'password\u0000b'],
        ['pass w\u00f6rd', 'pass wo\u0308rd'],
        [' password', 'password'],
      ] as const) {
        const hash = await hasher.hash(one);
        assert.equal(await hasher.verify(hash, one), true, JSON.stringify(one));
        assert.equal(await hasher.verify(hash, other), false, JSON.stringify(other));
      }
    },

  'hasher-foreign: a text that is not a hash verifies no password': async (make) => {
    const hasher = await make();
    const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
    for (const hash of ['', ' ', password, '$', '$argon2id$v=19$m=1', bcrypt, '\u0000']) {
      assert.equal(await hasher.verify(hash, password), false, JSON.stringify(hash));
      assert.equal(await hasher.verify(hash, ''), false, JSON.stringify(hash));
    }
  },

  'hasher-shared: a hash contains everything that another process needs to verify it': async (make) => {
    const hash = await (await make()).hash(password);
    assert.equal(await (await make()).verify(hash, password), true);
  },
});
