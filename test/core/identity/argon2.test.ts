/** Password hashing with argon2id. */

import { expect } from 'chai';
import { hasherChecks } from '../../../src/core/conformance/hasher.js';
import { argon2Hasher } from '../../../src/core/identity/argon2.js';

describe('argon2Hasher', () => {
  const hasher = argon2Hasher();

  for (const check of hasherChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () => check.run(argon2Hasher));
  }

  it('writes argon2id PHC strings with a salt of their own each', async () => {
    const [first, second] = await Promise.all([hasher.hash('correct horse'), hasher.hash('correct horse')]);
    expect(first).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.to.equal(second);
  });
});
