/** Password hashers that break a rule. */
import { randomBytes, scryptSync } from 'node:crypto';
import type { PasswordHasher } from '../../../../src/core/ports/sign-in.js';
import { faults, methodFaults } from './fault.js';

const digest = (password: string, salt: string) => scryptSync(password, salt, 16, { N: 2 }).toString('hex');

/** Far too cheap to be used, and sound in everything else. */
export const soundHasher = (): PasswordHasher => ({
  hash(password) {
    const salt = randomBytes(8).toString('hex');
    return Promise.resolve(`${salt}$${digest(password, salt)}`);
  },
  verify(hash, password) {
    const [salt = '', stored = ''] = hash.split('$');
    return Promise.resolve(/^[0-9a-f]{16}$/.test(salt) && stored === digest(password, salt));
  },
});

/** Makes a hasher take every password for what the function makes of it. */
const taking =
  (change: (password: string) => string) =>
  (hasher: PasswordHasher): void => {
    const sound = { ...hasher };
    hasher.hash = (password) => sound.hash(change(password));
    hasher.verify = (hash, password) => sound.verify(hash, change(password));
  };

export const hasherFaults = [
  ...methodFaults((hasher: PasswordHasher) => hasher, {
    hash: {
      'all hashes have one salt: hasher-salt': () => (password) =>
        Promise.resolve(`${'0'.repeat(16)}$${digest(password, '0'.repeat(16))}`),
      'the password is kept beside the hash: hasher-hidden': (hash) => async (password) =>
        `${await hash(password)}$${Buffer.from(password).toString('base64')}`,
    },
    verify: {
      'every password is right: hasher-verify': () => () => Promise.resolve(true),
      'a text that is no hash is an error: hasher-foreign': (verify) => (hash, password) =>
        hash.includes('$') ? verify(hash, password) : Promise.reject(new Error('no salt')),
    },
  }),

  ...faults<PasswordHasher>({
    'capital letters count for nothing: hasher-verify': taking((password) => password.toLowerCase()),
    'only 72 bytes count: hasher-whole': taking((password) =>
      Buffer.from(password).subarray(0, 72).toString('hex'),
    ),
    'passwords end at a NUL: hasher-whole': taking((password) => password.split('\u0000', 1)[0] ?? ''),
    'passwords are normalized: hasher-whole': taking((password) => password.normalize('NFC')),
    'passwords are trimmed: hasher-whole': taking((password) => password.trim()),
    'a process knows its own hashes only: hasher-shared': (hasher) => {
      const pepper = randomBytes(8).toString('hex');
      taking((password) => pepper + password)(hasher);
    },
  }),
];
