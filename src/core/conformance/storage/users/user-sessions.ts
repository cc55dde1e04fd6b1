/** The checks of a refresh token store, and of the moment up to which the tokens of a user are revoked. */
import assert from 'node:assert/strict';
import { nextTimestamp } from '../../../model/timestamp.js';
import type { Stores } from '../../../ports/storage.js';
import type { UserChange, UserStore } from '../../../ports/user-store.js';
import { storeChecks } from '../../check.js';
import { addUser, addUserIds, at, atOnce, change, oddIds, taken } from '../../samples.js';

const far = '2027-01-01T00:00:00.000001Z';

/** Stores the first token of a family for a new user. */
async function addToken(storage: Pick<Stores, 'refreshTokens' | 'users'>, hash: string, number = 1) {
  const user = await addUser(storage, number);
  const token = { hash, userId: user.id, expiresAt: far };
  assert.equal(await storage.refreshTokens.create(token, user.version), 'created');
  return { user, token };
}

/** Which of these hashes are still in the store. */
async function kept(
  { refreshTokens }: Pick<Stores, 'refreshTokens'>,
  ...hashes: readonly string[]
): Promise<readonly string[]> {
  const found = await Promise.all(hashes.map((hash) => refreshTokens.find(hash)));
  return hashes.filter((_, index) => found[index] !== undefined);
}

export const refreshTokenChecks = storeChecks(['refreshTokens', 'users'], {
  'refresh-tokens-create: a token is found by its hash': async (storage) => {
    const { token } = await addToken(storage, 'a');
    assert.deepEqual(await storage.refreshTokens.find('a'), { ...token, isUsed: false });
    for (const hash of ['', 'A', 'b', 'x'.repeat(5_000)]) {
      assert.equal(await storage.refreshTokens.find(hash), undefined);
    }
  },

  'refresh-tokens-stale: a token is refused for a user who is gone, inactive, or has changed': async (
    storage,
  ) => {
    const { users, refreshTokens } = storage;
    const { id } = await addUser(storage, 1);
    const token = { hash: 'a', userId: id, expiresAt: far };
    taken(await users.update(id, change({ name: 'New' }), at(1)));
    assert.equal(await refreshTokens.create(token, 1), 'stale');
    taken(await users.update(id, change({ status: 'inactive' }), at(1)));
    assert.equal(await refreshTokens.create(token, 3), 'stale');
    for (const userId of [...oddIds, '999']) {
      assert.equal(await refreshTokens.create({ ...token, userId }, 1), 'stale');
    }
    assert.deepEqual(await kept(storage, 'a'), []);
  },

  "refresh-tokens-end-with-user: a user's tokens are deleted when the user gets another password, becomes inactive, or is deleted":
    async (storage) => {
      const { users } = storage;
      const { user: first } = await addToken(storage, 'a', 1);
      const { user: second } = await addToken(storage, 'b', 2);
      const { user: third } = await addToken(storage, 'c', 3);
      await addToken(storage, 'd', 4);
      taken(await users.update(first.id, change({ name: 'New', city: 'Rome', role: 'admin' }), at(1)));
      taken(await users.update(second.id, change({ status: 'active' }), at(1)));
      assert.equal(await users.update(second.id, change({ passwordHash: '$new$' }), at(1), 1), 'stale');
      assert.deepEqual(await kept(storage, 'a', 'b', 'c', 'd'), ['a', 'b', 'c', 'd']);
      taken(await users.update(first.id, change({ passwordHash: '$new$' }), at(2)));
      taken(await users.update(second.id, change({ status: 'inactive' }), at(2)));
      assert.equal(await users.delete(third.id), 'deleted');
      assert.deepEqual(await kept(storage, 'a', 'b', 'c', 'd'), ['d']);
    },

  'refresh-tokens-replace: a token is replaced once; a second replacement deletes its family': async (
    storage,
  ) => {
    const { refreshTokens } = storage;
    const { token } = await addToken(storage, 'a1', 1);
    await addToken(storage, 'b1', 2);
    assert.equal(await refreshTokens.replace('a1', { hash: 'a2', expiresAt: far }), 'replaced');
    assert.deepEqual(await refreshTokens.find('a1'), { ...token, isUsed: true });
    assert.deepEqual(await refreshTokens.find('a2'), { ...token, hash: 'a2', isUsed: false });
    assert.equal(await refreshTokens.replace('a2', { hash: 'a3', expiresAt: far }), 'replaced');
    assert.equal(await refreshTokens.replace('a1', { hash: 'a4', expiresAt: far }), 'used');
    assert.deepEqual(await kept(storage, 'a1', 'a2', 'a3', 'a4', 'b1'), ['b1']);
    assert.equal(await refreshTokens.replace('a3', { hash: 'a5', expiresAt: far }), 'not-found');
  },

  'refresh-tokens-revoke: revoking a token ends its family': async (storage) => {
    const { refreshTokens } = storage;
    const { user } = await addToken(storage, 'a1', 1);
    const other = { hash: 'b1', userId: user.id, expiresAt: far };
    assert.equal(await refreshTokens.create(other, user.version), 'created');
    assert.equal(await refreshTokens.replace('a1', { hash: 'a2', expiresAt: far }), 'replaced');
    await refreshTokens.revoke('a2');
    await refreshTokens.revoke('a2');
    await refreshTokens.revoke('never was');
    assert.deepEqual(await kept(storage, 'a1', 'a2', 'b1'), ['b1']);
  },

  'refresh-tokens-expire: expired tokens are deleted, oldest first, up to the limit': async (storage) => {
    const { refreshTokens } = storage;
    const { id, version } = await addUser(storage, 1);
    for (const second of [3, 1, 4, 2]) {
      const token = { hash: `t${second}`, userId: id, expiresAt: at(second) };
      assert.equal(await refreshTokens.create(token, version), 'created');
    }
    assert.equal(await refreshTokens.deleteExpired(at(1), 9), 0);
    assert.equal(await refreshTokens.deleteExpired(at(4), 2), 2);
    assert.deepEqual(await kept(storage, 't1', 't2', 't3', 't4'), ['t3', 't4']);
    assert.equal(await refreshTokens.deleteExpired(at(4), 2), 1);
    assert.equal(await refreshTokens.deleteExpired(at(4), 2), 0);
    assert.deepEqual(await kept(storage, 't1', 't2', 't3', 't4'), ['t4']);
  },

  'refresh-tokens-race-replace: of replacements at once one wins, and the others end the family': async (
    storage,
  ) => {
    await addToken(storage, 'a');
    const outcomes = await atOnce(6, (index) =>
      storage.refreshTokens.replace('a', { hash: `next${index}`, expiresAt: far }),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'replaced').length, 1);
    assert.ok(outcomes.includes('used'), 'no replacement was informed that the token is used');
    assert.deepEqual(await kept(storage, 'a', 'next0', 'next1', 'next2', 'next3', 'next4', 'next5'), []);
  },

  'refresh-tokens-race-end: no token of a user outlives a password change, in any order of concurrent writes':
    async (storage) => {
      const { users, refreshTokens } = storage;
      for (let round = 1; round <= 10; round++) {
        const { user } = await addToken(storage, `a${round}`, round);
        const next = { hash: `b${round}`, expiresAt: far };
        const token = { hash: `c${round}`, userId: user.id, expiresAt: far };
        await Promise.all([
          refreshTokens.replace(`a${round}`, next),
          refreshTokens.create(token, user.version),
          users.update(user.id, change({ passwordHash: '$new$' }), at(1)),
        ]);
        assert.deepEqual(await kept(storage, `a${round}`, `b${round}`, `c${round}`), []);
      }
    },
});

const revocation: UserChange = change({ revokesTokens: true });

async function revoke(users: UserStore, id: string, now: string): Promise<string | undefined> {
  return taken(await users.update(id, revocation, now)).sessionsFrom;
}

export const userSessionChecks = [
  ...storeChecks(['users'], {
    'users-sessions-revoke: a revocation, a new password and a deactivation set the moment up to which tokens are revoked, for that user only':
      async (storage) => {
        const { users } = storage;
        const ids = await addUserIds(storage);
        const moment = '2026-01-01T00:00:01.000001Z';
        assert.equal(await revoke(users, ids[0], moment), moment);
        taken(await users.update(ids[1], change({ passwordHash: '$new$' }), at(2)));
        const before = (await users.findMany(ids)).map((user) => user?.sessionsFrom);
        assert.deepEqual(before, [moment, at(2), undefined]);
        taken(await users.update(ids[2], change({ status: 'inactive' }), at(3)));
        assert.equal((await users.find(ids[2]))?.sessionsFrom, at(3));
      },

    'users-sessions-kept: no other change moves the moment up to which tokens are revoked': async (
      storage,
    ) => {
      const { users } = storage;
      const { id } = await addUser(storage, 1);
      await revoke(users, id, at(1));
      taken(await users.update(id, change({ name: 'New', city: 'Rome', role: 'user' }), at(2)));
      taken(await users.update(id, change({ status: 'active' }), at(3)));
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
      const moments = await atOnce(8, () => revoke(users, id, at(1)));
      assert.equal(new Set(moments).size, 8);
    },
  }),

  ...storeChecks(['refreshTokens', 'users'], {
    'users-sessions-refresh: a revocation deletes the refresh tokens of the user': async (storage) => {
      const { users, refreshTokens } = storage;
      const { id, version } = await addUser(storage, 1);
      await refreshTokens.create({ hash: 'hash', userId: id, expiresAt: at(9) }, version);
      await revoke(users, id, at(1));
      assert.equal(await refreshTokens.find('hash'), undefined);
    },
  }),
];
