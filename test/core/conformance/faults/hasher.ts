/** Password hashers that break a rule. */
import { randomBytes, scryptSync } from 'node:crypto';
import type { PasswordHasher } from '../../../../src/core/ports/sign-in.js';
import type { PortFaults } from './fault.js';

const digest = (password: string, salt: string) => scryptSync(password, salt, 16, { N: 2 }).toString('hex');

/** Far too cheap to be used, and sound in everything else. */
export const soundHasher: PasswordHasher = {
  hash(password) {
    const salt = randomBytes(8).toString('hex');
    return Promise.resolve(`${salt}$${digest(password, salt)}`);
  },
  verify(hash, password) {
    const [salt = '', stored = ''] = hash.split('$');
    return Promise.resolve(/^[0-9a-f]{16}$/.test(salt) && stored === digest(password, salt));
  },
};

/** The sound hasher of what the function makes of a password. */
const of = (change: (password: string) => string) => (): PasswordHasher => ({
  hash: (password) => soundHasher.hash(change(password)),
  verify: (hash, password) => soundHasher.verify(hash, change(password)),
});

export const hasherFaults: PortFaults<PasswordHasher> = {
  'every password is right': [
    'hasher-verify',
    () => ({ ...soundHasher, verify: () => Promise.resolve(true) }),
  ],
  'capital letters count for nothing': ['hasher-verify', of((password) => password.toLowerCase())],
  'all hashes have one salt': [
    'hasher-salt',
    () => ({
      ...soundHasher,
      hash: (password) => Promise.resolve(`${'0'.repeat(16)}$${digest(password, '0'.repeat(16))}`),
    }),
  ],
  'the password is kept beside the hash': [
    'hasher-hidden',
    () => ({
      ...soundHasher,
      hash: async (password) =>
        `${await soundHasher.hash(password)}$${Buffer.from(password).toString('base64')}`,
    }),
  ],
  'only 72 bytes count': [
    'hasher-whole',
    of((password) => Buffer.from(password).subarray(0, 72).toString('hex')),
  ],
  'passwords end at a NUL': ['hasher-whole', of((password) => password.split('\u0000', 1)[0] ?? '')],
  'passwords are normalized': ['hasher-whole', of((password) => password.normalize('NFC'))],
  'passwords are trimmed': ['hasher-whole', of((password) => password.trim())],
  'a text that is no hash is an error': [
    'hasher-foreign',
    () => ({
      ...soundHasher,
      verify: (hash, password) =>
        hash.includes('$') ? soundHasher.verify(hash, password) : Promise.reject(new Error('no salt')),
    }),
  ],
  'a process knows its own hashes only': [
    'hasher-shared',
    () => {
      const pepper = randomBytes(8).toString('hex');
      return of((password) => pepper + password)();
    },
  ],
};
