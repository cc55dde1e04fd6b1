/** The checks of a user store about the moment up to which a user's tokens are revoked. */
import assert from 'node:assert/strict';
import { nextTimestamp } from '../../model/timestamp.js';
import { type UserChange, type UserStore } from '../../ports/user-store.js';
import type { Storage } from '../../ports/storage.js';
import { checks } from '../check.js';
import { addUser, addUsers, at, change, taken } from './records.js';

const revocation: UserChange = change({ revokesTokens: true });

async function revoke(users: UserStore, id: string, now: string): Promise<string | undefined> {
  return taken(await users.update(id, revocation, now)).sessionsFrom;
}

export const userSessionChecks = checks<Storage>({
  'users-sessions-revoke: a revocation and a new password set the moment up to which tokens are revoked, for that user only':
    async (storage) => {
      const { users } = storage;
      const [first, second, third] = (await addUsers(storage, 3)).map(({ id }) => id);
      assert.equal(
        await revoke(users, first ?? '', '2026-01-01T00:00:01.000001Z'),
        '2026-01-01T00:00:01.000001Z',
      );
      taken(await users.update(second ?? '', change({ passwordHash: '$new$' }), at(2)));
      const read = await users.findMany([first ?? '', second ?? '', third ?? '']);
      assert.deepEqual(
        read.map((user) => user?.sessionsFrom),
        ['2026-01-01T00:00:01.000001Z', at(2), undefined],
      );
    },

  'users-sessions-kept: no other change moves the moment up to which tokens are revoked': async (storage) => {
    const { users } = storage;
    const { id } = await addUser(storage, 1);
    await revoke(users, id, at(1));
    taken(await users.update(id, change({ name: 'New', city: 'Rome', role: 'user' }), at(2)));
    taken(await users.update(id, change({ status: 'inactive' }), at(3)));
    taken(await users.update(id, change({ status: 'active' }), at(4)));
    assert.equal((await users.find(id))?.sessionsFrom, at(1));
  },

  'users-sessions-later: each revocation is later than the one before, also in the same moment and with a clock that is behind':
    async (storage) => {
      const { users } = storage;
      const { id } = await addUser(storage, 1);
      assert.equal(await revoke(users, id, at(5)), at(5));
      assert.equal(await revoke(users, id, at(5)), nextTimestamp(at(5)));
      assert.equal(await revoke(users, id, at(1)), nextTimestamp(nextTimestamp(at(5))));
      assert.equal(await revoke(users, id, at(6)), at(6));
    },

  'users-sessions-race: revocations at once are all later than the one before': async (storage) => {
    const { users } = storage;
    const { id } = await addUser(storage, 1);
    const moments = await Promise.all(Array.from({ length: 8 }, () => revoke(users, id, at(1))));
    assert.equal(new Set(moments).size, 8);
  },

  'users-sessions-refresh: a revocation deletes the refresh tokens of the user': async (storage) => {
    const { users, refreshTokens } = storage;
    const { id, version } = await addUser(storage, 1);
    await refreshTokens.create({ hash: 'hash', userId: id, expiresAt: at(9) }, version);
    await revoke(users, id, at(1));
    assert.equal(await refreshTokens.find('hash'), undefined);
  },
});
