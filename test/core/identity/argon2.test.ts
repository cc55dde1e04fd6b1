/** Password hashing with argon2id. */

import { expect } from 'chai';
import { argon2Hasher } from '../../../src/core/identity/argon2.js';

describe('argon2Hasher', () => {
  const hasher = argon2Hasher();

  it('writes argon2id PHC strings with a salt of their own each', async () => {
    const [first, second] = await Promise.all([hasher.hash('correct horse'), hasher.hash('correct horse')]);
    expect(first).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.to.equal(second);
  });

  it('knows the password, and no other', async () => {
    const hash = await hasher.hash('correct horse');
    expect(await hasher.verify(hash, 'correct horse')).to.equal(true);
    expect(await hasher.verify(hash, 'correct horsf')).to.equal(false);
    expect(await hasher.verify(hash, '')).to.equal(false);
  });

  it('says no to a hash that is none', async () => {
    expect(await hasher.verify('not a hash', 'correct horse')).to.equal(false);
    expect(await hasher.verify('', '')).to.equal(false);
  });
});
