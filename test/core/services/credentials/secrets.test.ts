/** Tests checking passwords: the same work for unknown and known accounts, and a limit of checks at once. */
import { expect } from 'chai';
import { argon2Hasher } from '../../../../src/core/identity/argon2.js';
import type { PasswordHasher } from '../../../../src/core/ports/sign-in.js';
import { Passwords } from '../../../../src/core/services/credentials/secrets.js';
import { until } from '../../../support/until.js';
import { reversingHasher } from '../fixture.js';

/** A hasher that records its calls. */
function watched(
  hasher: PasswordHasher,
): PasswordHasher & { readonly calls: string[]; readonly hashes: string[] } {
  const calls: string[] = [];
  const hashes: string[] = [];
  return {
    calls,
    hashes,
    hash: async (password) => {
      calls.push('hash');
      return await hasher.hash(password);
    },
    verify: async (hash, password) => {
      calls.push('verify');
      hashes.push(hash);
      return await hasher.verify(hash, password);
    },
  };
}

const admit = () => Promise.resolve();

describe('Passwords', () => {
  it('accepts the right password only, and none when none is stored', async () => {
    const passwords = new Passwords(reversingHasher);
    const stored = await passwords.hash('correct horse');
    expect(await passwords.check(stored, 'correct horse', admit)).to.equal(true);
    expect(await passwords.check(stored, 'correct horsf', admit)).to.equal(false);
    expect(await passwords.check(undefined, 'correct horse', admit)).to.equal(false);
  });

  it('refuses when none is stored, even with a hasher that accepts everything', async () => {
    const yes: PasswordHasher = { ...reversingHasher, verify: () => Promise.resolve(true) };
    expect(await new Passwords(yes).check(undefined, 'anything', admit)).to.equal(false);
  });

  for (const order of [
    ['a known account', 'an unknown account'],
    ['an unknown account', 'a known account'],
  ] as const) {
    it(`does the same hashing for ${order.join(' and then ')}`, async () => {
      const stored = await argon2Hasher().hash('correct horse');
      const hasher = watched(argon2Hasher());
      const passwords = new Passwords(hasher);
      for (const who of order) {
        await passwords.check(who === 'a known account' ? stored : undefined, 'wrong', admit);
      }
      // The decoy hash is made before the first check of any kind.
      expect(hasher.calls).to.deep.equal(['hash', 'verify', 'verify']);
      const parametersOf = (hash: string) => hash.split('$').slice(0, 4);
      const [one = '', other = ''] = hasher.hashes;
      expect(parametersOf(one)).to.deep.equal(parametersOf(other));
      expect(parametersOf(one)).to.deep.equal(['', 'argon2id', 'v=19', 'm=19456,t=2,p=1']);
      expect(one.length).to.equal(other.length);
    });
  }

  it('checks no password that is not admitted, and asks for admission right before the check', async () => {
    const hasher = watched(reversingHasher);
    const passwords = new Passwords(hasher);
    const failure = new Error('too many');
    const checked = passwords.check('#esroh', 'horse', () => Promise.reject(failure));
    expect(await checked.catch((error: unknown) => error)).to.equal(failure);
    expect(hasher.calls).to.deep.equal(['hash']);
    expect(await passwords.check('#esroh', 'horse', admit)).to.equal(true);
  });

  it('runs at most two hashes and checks at once', async () => {
    const ends: (() => void)[] = [];
    let most = 0;
    let underWay = 0;
    const slow: PasswordHasher = {
      hash: (password) => reversingHasher.hash(password),
      verify: async () => {
        most = Math.max(most, ++underWay);
        await new Promise<void>((resolve) => ends.push(resolve));
        underWay -= 1;
        return true;
      },
    };
    const passwords = new Passwords(slow);
    const checks = Array.from({ length: 7 }, () => passwords.check('#', 'x', admit));
    for (let done = 0; done < checks.length; done++) {
      await until('another hash is running', () => ends.length > done);
      ends[done]?.();
    }
    expect(await Promise.all(checks)).to.deep.equal(checks.map(() => true));
    expect(most).to.equal(2);
  });

  it('checks a password soon, although hundreds are being hashed', async () => {
    const hashed: string[] = [];
    const passwords = new Passwords({
      ...reversingHasher,
      hash: async (password) => {
        await new Promise((resolve) => setImmediate(resolve));
        hashed.push(password);
        return await reversingHasher.hash(password);
      },
    });
    await passwords.check('#esroh', 'horse', admit); // makes the decoy hash
    const signUps = Array.from({ length: 300 }, (_, index) => passwords.hash(String(index)));
    expect(await passwords.check('#esroh', 'horse', admit)).to.equal(true);
    expect(hashed.length).to.be.below(10);
    await Promise.all(signUps);
  });

  it('recovers from a hasher that failed at first', async () => {
    let fails = true;
    const passwords = new Passwords({
      ...reversingHasher,
      hash: (password) => (fails ? Promise.reject(new Error('no memory')) : reversingHasher.hash(password)),
    });
    const check = () => passwords.check('#esroh', 'horse', admit).catch(String);
    expect(await check()).to.equal('Error: no memory');
    fails = false;
    expect(await check()).to.equal(true);
  });
});
