/** Stores that break a rule of refresh tokens. */
import { setImmediate as tick } from 'node:timers/promises';
import type { NewRefreshToken } from '../../../../src/core/ports/credential-store.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { storeFaults, without } from './fault.js';
import { unchangedUser } from '../../../../src/core/ports/user-store.js';

/** The first tokens of families, as they are stored. */
function watchFirsts({ refreshTokens }: Storage): readonly NewRefreshToken[] {
  const firsts: NewRefreshToken[] = [];
  const create = refreshTokens.create.bind(refreshTokens);
  refreshTokens.create = async (token, userVersion) => {
    const outcome = await create(token, userVersion);
    if (outcome === 'created') firsts.push(token);
    return outcome;
  };
  return firsts;
}

export const refreshTokenFaults = [
  ...storeFaults('refreshTokens', {
    create: {
      'a token is stored whatever became of the user: refresh-tokens-stale':
        (create, { users }) =>
        async (token) =>
          await create(token, (await users.find(token.userId))?.version ?? 0),
      'the version of the user is compared before the write, not with it: refresh-tokens-race-end': (
        create,
        { users },
      ) => {
        const versionOf = async (userId: string) => (await users.find(userId))?.version ?? 0;
        return async (token, userVersion) => {
          if ((await versionOf(token.userId)) !== userVersion) return 'stale';
          await tick();
          return await create(token, await versionOf(token.userId));
        };
      },
    },
    find: {
      'a token is found in upper and lower case: refresh-tokens-create': (find) => (hash) =>
        find(hash.toLowerCase()),
      'a token that was replaced looks as before: refresh-tokens-replace': (find) => async (hash) => {
        const found = await find(hash);
        return found && { ...found, isUsed: false };
      },
      'revoking a token ends that one only: refresh-tokens-revoke': (find, { refreshTokens }) => {
        const revoked = new Set<string>();
        refreshTokens.revoke = (hash) => Promise.resolve(void revoked.add(hash));
        return async (hash) => (revoked.has(hash) ? undefined : await find(hash));
      },
      'a revocation leaves the refresh tokens: users-sessions-refresh': (find, storage) => {
        const firsts = watchFirsts(storage);
        return async (hash) => {
          const first = firsts.find((token) => token.hash === hash);
          return (await find(hash)) ?? (first && { ...first, isUsed: false });
        };
      },
    },
    replace: {
      'using a token twice ends nothing: refresh-tokens-replace, refresh-tokens-race-replace': (replace) => {
        const used = new Set<string>();
        return async (hash, next) => {
          if (used.has(hash)) return 'used';
          used.add(hash);
          return await replace(hash, next);
        };
      },
      'of several who use a token at once all win: refresh-tokens-race-replace':
        (replace, { refreshTokens }) =>
        async (hash, next) => {
          if ((await refreshTokens.find(hash))?.isUsed !== false) return await replace(hash, next);
          await tick();
          await replace(hash, next);
          return 'replaced';
        },
    },
    revoke: {
      'revoking a token ends all of its user: refresh-tokens-revoke': (revoke, storage) => {
        const firsts = watchFirsts(storage);
        return async (hash) => {
          const user = (await storage.refreshTokens.find(hash))?.userId;
          for (const each of firsts) if (each.userId === user) await revoke(each.hash);
        };
      },
    },
    deleteExpired: {
      'all that is over is deleted at once: refresh-tokens-expire': (deleteExpired) => (now) =>
        deleteExpired(now, 1_000),
      'a token is over in its last moment: refresh-tokens-expire': (deleteExpired) => (now, limit) =>
        deleteExpired(now.replace('.000000Z', '.000001Z'), limit),
      'what was over last is deleted first: refresh-tokens-expire': (_, storage) => {
        const firsts = watchFirsts(storage);
        const { refreshTokens } = storage;
        return async (now, limit) => {
          const kept = await Promise.all(firsts.map(({ hash }) => refreshTokens.find(hash)));
          const over = kept.filter((token) => token !== undefined && token.expiresAt < now);
          const last = over.toSorted((a, b) => ((a?.expiresAt ?? '') < (b?.expiresAt ?? '') ? 1 : -1));
          for (const token of last.slice(0, limit)) await refreshTokens.revoke(token?.hash ?? '');
          return Math.min(limit, over.length);
        };
      },
    },
  }),

  ...storeFaults('users', {
    update: {
      'tokens outlive a password: refresh-tokens-end-with-user, refresh-tokens-race-end':
        (update) =>
        (id, change, ...others) =>
          update(id, { ...unchangedUser, ...without(change, 'passwordHash') }, ...others),
      'tokens outlive a deactivation: refresh-tokens-end-with-user':
        (update) =>
        (id, change, ...others) =>
          update(id, { ...unchangedUser, ...without(change, 'status') }, ...others),
      'tokens end with any change of the user: refresh-tokens-end-with-user': (update, storage) => {
        const firsts = watchFirsts(storage);
        return async (id, ...input) => {
          const own = firsts.filter(({ userId }) => userId === id);
          for (const { hash } of own) await storage.refreshTokens.revoke(hash);
          return await update(id, ...input);
        };
      },
    },
  }),
];
