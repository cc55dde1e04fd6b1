/** Tests that the admin of the settings exists after the start. */

import { expect } from 'chai';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import type { PasswordHasher } from '../../../../src/core/ports/sign-in.js';
import { ensureAdmin } from '../../../../src/core/services/users/first-admin.js';
import { systemClock } from '../../../../src/core/model/timestamp.js';
import { bareUser } from '../../../support/bare-records.js';
import { everyUser } from '../../../../src/core/ports/user-store.js';

const admin = { email: 'Admin@Example.com', password: 'long enough' };

function countingHasher(): PasswordHasher & { hashes: number } {
  return {
    hashes: 0,
    hash(password) {
      this.hashes += 1;
      return Promise.resolve(`hash of ${password}`);
    },
    verify: (hash, password) => Promise.resolve(hash === `hash of ${password}`),
  };
}

describe('ensureAdmin', () => {
  it('creates an active admin with the password', async () => {
    const storage = memoryStorage();
    await ensureAdmin(storage, countingHasher(), admin);
    const found = await storage.users.findCredentials('admin@example.com');
    expect(found?.user).to.include({ role: 'admin', status: 'active', email: admin.email });
    expect(found?.passwordHash).to.equal('hash of long enough');
  });

  it('changes nothing at the next start', async () => {
    const storage = memoryStorage();
    const hasher = countingHasher();
    await ensureAdmin(storage, hasher, admin);
    const before = await storage.users.findCredentials(admin.email);
    await ensureAdmin(storage, hasher, admin);
    expect(await storage.users.findCredentials(admin.email)).to.deep.equal(before);
    expect(hasher.hashes).to.equal(1);
  });

  it('makes an existing user with the email an admin', async () => {
    const storage = memoryStorage();
    const user = { name: 'Ada', email: 'admin@example.com', role: 'user', status: 'inactive' } as const;
    await storage.users.create({ ...bareUser, ...user }, systemClock.now());
    await ensureAdmin(storage, countingHasher(), admin);
    const found = await storage.users.findCredentials(admin.email);
    expect(found?.user).to.include({ name: 'Ada', role: 'admin', status: 'active' });
    expect(found?.passwordHash).to.equal('hash of long enough');
  });

  it('revokes the tokens of an existing user, also where the password is the same', async () => {
    const storage = memoryStorage();
    const user = { name: 'Ada', email: 'admin@example.com', role: 'user', status: 'active' } as const;
    const passwordHash = `hash of ${admin.password}`;
    await storage.users.create({ ...bareUser, ...user, passwordHash }, systemClock.now());
    await ensureAdmin(storage, countingHasher(), admin);
    const found = await storage.users.findCredentials(admin.email);
    expect(found?.user.sessionsFrom).to.equal(found?.user.updatedAt);
  });

  it('activates an inactive admin with the same password', async () => {
    const storage = memoryStorage();
    const user = { name: 'Ada', email: 'admin@example.com', role: 'admin', status: 'inactive' } as const;
    const passwordHash = `hash of ${admin.password}`;
    await storage.users.create({ ...bareUser, ...user, passwordHash }, systemClock.now());
    await ensureAdmin(storage, countingHasher(), admin);
    const found = await storage.users.findCredentials(admin.email);
    expect(found?.user).to.include({ role: 'admin', status: 'active' });
  });

  it('creates one admin when several processes start at once', async () => {
    const storage = memoryStorage();
    await Promise.all([1, 2, 3].map(() => ensureAdmin(storage, countingHasher(), admin)));
    expect(await storage.users.count(everyUser)).to.equal(1);
  });
});
