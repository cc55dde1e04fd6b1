/** The checks of a refresh token store, and of the moment up to which the tokens of a user are revoked. */
import assert from 'node:assert/strict';
import { nextTimestamp } from '../../../model/timestamp.js';
import type { User } from '../../../model/user.js';
import type { NewRefreshToken } from '../../../ports/credential-store.js';
import type { Stores } from '../../../ports/storage.js';
import type { UserChange } from '../../../ports/user-store.js';
import { type Row, storeChecks } from '../../check.js';
import { addUser, addUserIds, at, atOnce, change, oddIds, taken } from '../../samples.js';

type Parts = Pick<Stores, 'refreshTokens' | 'users'>;

const expiresAt = '2027-01-01T00:00:00.000001Z';

/** Stores the first token of a family for a new user. */
async function addToken(storage: Parts, hash: string, number = 1) {
  const user = await addUser(storage, number);
  const token = { hash, userId: user.id, expiresAt };
  assert.equal(await storage.refreshTokens.create(token, user.version), 'created');
  return { user, token };
}

/** Of the tokens with these hashes, those that are kept are in the store. */
function only({ refreshTokens }: Parts, hashes: readonly string[], ...kept: readonly string[]): Row {
  const find = async (hash: string) => ((await refreshTokens.find(hash)) === undefined ? [] : [hash]);
  return [async () => (await Promise.all(hashes.map(find))).flat(), kept];
}

const update =
  ({ users }: Parts, { id }: User, fields: Partial<UserChange>, version?: number) =>
  () =>
    users.update(id, change(fields), at(1), version);

export const refreshTokenChecks = storeChecks(['refreshTokens', 'users'], {
  'refresh-tokens-create: a token is found by its hash': async (storage) => {
    const { token } = await addToken(storage, 'a');
    const others = ['', 'A', 'b', 'x'.repeat(5_000)];
    return [
      [() => storage.refreshTokens.find('a'), { ...token, isUsed: false }],
      ...others.map((hash): Row => [() => storage.refreshTokens.find(hash), undefined]),
    ];
  },

  'refresh-tokens-stale: a token is refused for a gone, inactive or changed user': async (storage) => {
    const { refreshTokens } = storage;
    const user = await addUser(storage, 1);
    const token = { hash: 'a', userId: user.id, expiresAt };
    return [
      [update(storage, user, { name: 'New' }), taken],
      [() => refreshTokens.create(token, 1), 'stale'],
      [update(storage, user, { status: 'inactive' }), taken],
      [() => refreshTokens.create(token, 3), 'stale'],
      ...[...oddIds, '999'].map((userId): Row => [
        () => refreshTokens.create({ ...token, userId }, 1),
        'stale',
      ]),
      only(storage, ['a']),
    ];
  },

  "refresh-tokens-end-with-user: a user's tokens are deleted when the user gets another password, becomes inactive, or is deleted":
    async (storage) => {
      const hashes = ['a', 'b', 'c', 'd'];
      const users: User[] = [];
      for (const [index, hash] of hashes.entries()) users.push((await addToken(storage, hash, index)).user);
      const [first, second, third] = users as [User, User, User];
      return [
        [update(storage, first, { name: 'New', city: 'Rome', role: 'admin' }), taken],
        [update(storage, second, { status: 'active' }), taken],
        [update(storage, second, { passwordHash: '$new$' }, 1), 'stale'],
        only(storage, hashes, 'a', 'b', 'c', 'd'),
        [update(storage, first, { passwordHash: '$new$' }), taken],
        only(storage, hashes, 'b', 'c', 'd'),
        [update(storage, second, { status: 'inactive' }), taken],
        only(storage, hashes, 'c', 'd'),
        [() => storage.users.delete(third.id), 'deleted'],
        only(storage, hashes, 'd'),
      ];
    },

  'refresh-tokens-replace: a token is replaced once; the second time deletes its family': async (storage) => {
    const { refreshTokens } = storage;
    const { token } = await addToken(storage, 'a1', 1);
    await addToken(storage, 'b1', 2);
    return [
      [() => refreshTokens.replace('a1', { hash: 'a2', expiresAt }), 'replaced'],
      [() => refreshTokens.find('a1'), { ...token, isUsed: true }],
      [() => refreshTokens.find('a2'), { ...token, hash: 'a2', isUsed: false }],
      [() => refreshTokens.replace('a2', { hash: 'a3', expiresAt }), 'replaced'],
      [() => refreshTokens.replace('a1', { hash: 'a4', expiresAt }), 'used'],
      only(storage, ['a1', 'a2', 'a3', 'a4', 'b1'], 'b1'),
      [() => refreshTokens.replace('a3', { hash: 'a5', expiresAt }), 'not-found'],
    ];
  },

  'refresh-tokens-revoke: revoking a token ends its family': async (storage) => {
    const { refreshTokens } = storage;
    const { user } = await addToken(storage, 'a1');
    const other = { hash: 'b1', userId: user.id, expiresAt };
    return [
      [() => refreshTokens.create(other, user.version), 'created'],
      [() => refreshTokens.replace('a1', { hash: 'a2', expiresAt }), 'replaced'],
      [() => refreshTokens.revoke('a2'), undefined],
      [() => refreshTokens.revoke('a2'), undefined],
      [() => refreshTokens.revoke('never was'), undefined],
      only(storage, ['a1', 'a2', 'b1'], 'b1'),
    ];
  },

  'refresh-tokens-fresh-reads: every read shows all earlier writes, also when the same record was read before':
    async (storage) => {
      const { refreshTokens } = storage;
      const { token } = await addToken(storage, 'a');
      const find = (outcome: unknown): Row => [() => refreshTokens.find('a'), outcome];
      return [
        find({ ...token, isUsed: false }),
        [() => refreshTokens.replace('a', { hash: 'b', expiresAt }), 'replaced'],
        find({ ...token, isUsed: true }),
        [() => refreshTokens.revoke('b'), undefined],
        find(undefined),
        [() => refreshTokens.create(token, 1), 'created'],
        find({ ...token, isUsed: false }),
      ];
    },

  'refresh-tokens-expire: expired tokens are deleted, oldest first, up to the limit': async (storage) => {
    const { refreshTokens } = storage;
    const { id: userId, version } = await addUser(storage, 1);
    const hashes = ['t1', 't2', 't3', 't4'];
    const tokens = [3, 1, 4, 2].map((second): NewRefreshToken => ({
      hash: `t${second}`,
      userId,
      expiresAt: at(second),
    }));
    return [
      ...tokens.map((token): Row => [() => refreshTokens.create(token, version), 'created']),
      [() => refreshTokens.deleteExpired(at(1), 9), 0],
      [() => refreshTokens.deleteExpired(at(4), 2), 2],
      only(storage, hashes, 't3', 't4'),
      [() => refreshTokens.deleteExpired(at(4), 2), 1],
      [() => refreshTokens.deleteExpired(at(4), 2), 0],
      only(storage, hashes, 't4'),
    ];
  },

  'refresh-tokens-race-replace: of replacements at once one wins, and others end the family': async (
    storage,
  ) => {
    await addToken(storage, 'a');
    const hashes = ['b', 'c', 'd', 'e', 'f', 'g'];
    const replacements = hashes.map((hash) => storage.refreshTokens.replace('a', { hash, expiresAt }));
    const outcomes = await Promise.all(replacements);
    // One must be informed that the token is used; for those after it the token is gone.
    return [
      [() => outcomes.filter((outcome) => outcome === 'replaced').length, 1],
      [() => outcomes.includes('used'), true],
      only(storage, ['a', ...hashes]),
    ];
  },

  'refresh-tokens-race-end: no token of a user outlives a password change, in any order of concurrent writes':
    async (storage) => {
      const { users, refreshTokens } = storage;
      const rows: Row[] = [];
      for (let round = 1; round <= 10; round++) {
        const hashes = ['a', 'b', 'c'].map((letter) => `${letter}${round}`) as [string, string, string];
        const { user } = await addToken(storage, hashes[0], round);
        await Promise.all([
          refreshTokens.replace(hashes[0], { hash: hashes[1], expiresAt }),
          refreshTokens.create({ hash: hashes[2], userId: user.id, expiresAt }, user.version),
          users.update(user.id, change({ passwordHash: '$new$' }), at(1)),
        ]);
        rows.push(only(storage, hashes));
      }
      return rows;
    },
});

/** Changes a user. @returns the moment up to which their tokens are then revoked */
async function sessionsAfter({ users }: Pick<Stores, 'users'>, id: string, now: string, fields = revocation) {
  return taken(await users.update(id, change(fields), now)).sessionsFrom;
}

const revocation: Partial<UserChange> = { revokesTokens: true };

export const userSessionChecks = [
  ...storeChecks(['users'], {
    'users-sessions-revoke: a revocation, a new password and a deactivation set the moment up to which tokens are revoked, for that user only':
      async (storage) => {
        const [one, two, three] = await addUserIds(storage);
        const moment = '2026-01-01T00:00:01.000001Z';
        return [
          [() => sessionsAfter(storage, one, moment), moment],
          [() => sessionsAfter(storage, two, at(2), { passwordHash: '$new$' }), at(2)],
          [async () => (await storage.users.find(three))?.sessionsFrom, undefined],
          [() => sessionsAfter(storage, three, at(3), { status: 'inactive' }), at(3)],
          [async () => (await storage.users.find(one))?.sessionsFrom, moment],
          [async () => (await storage.users.find(three))?.sessionsFrom, at(3)],
        ];
      },

    'users-sessions-kept: no other change revokes tokens': async (storage) => {
      const { id } = await addUser(storage, 1);
      const others: Partial<UserChange> = { name: 'New', city: 'Rome', role: 'user' };
      return [
        [() => sessionsAfter(storage, id, at(1)), at(1)],
        [() => sessionsAfter(storage, id, at(2), others), at(1)],
        [() => sessionsAfter(storage, id, at(3), { status: 'active' }), at(1)],
      ];
    },

    'users-sessions-later: each revocation is later than the one before, also in the same moment and with a clock that is behind':
      async (storage) => {
        const next = nextTimestamp(at(5));
        const { id } = await addUser(storage, 1);
        return [
          [() => sessionsAfter(storage, id, at(5)), at(5)],
          [() => sessionsAfter(storage, id, at(5)), next],
          [() => sessionsAfter(storage, id, at(1)), nextTimestamp(next)],
          [() => sessionsAfter(storage, id, at(6)), at(6)],
        ];
      },

    'users-sessions-race: revocations at once are all later than the one before': async (storage) => {
      const { id } = await addUser(storage, 1);
      const moments = await atOnce(8, () => sessionsAfter(storage, id, at(1)));
      return [[() => new Set(moments).size, 8]];
    },
  }),

  ...storeChecks(['refreshTokens', 'users'], {
    'users-sessions-refresh: a revocation deletes the refresh tokens of the user': async (storage) => {
      const { user } = await addToken(storage, 'a');
      return [[update(storage, user, revocation), taken], only(storage, ['a'])];
    },
  }),
];
