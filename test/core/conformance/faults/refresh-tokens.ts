/** Stores that break a rule of refresh tokens. */
import { setImmediate as tick } from 'node:timers/promises';
import type { NewRefreshToken } from '../../../../src/core/ports/credential-store.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { type Faults, without } from './fault.js';
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

export const refreshTokenFaults: Faults = {
  'a token is found in upper and lower case': [
    ['refresh-tokens-create'],
    ({ refreshTokens }) => {
      const find = refreshTokens.find.bind(refreshTokens);
      refreshTokens.find = (hash) => find(hash.toLowerCase());
    },
  ],
  'a token is stored whatever became of the user': [
    ['refresh-tokens-stale'],
    ({ users, refreshTokens }) => {
      const create = refreshTokens.create.bind(refreshTokens);
      refreshTokens.create = async (token) =>
        await create(token, (await users.find(token.userId))?.version ?? 0);
    },
  ],
  'the version of the user is compared before the write, not with it': [
    ['refresh-tokens-race-end'],
    ({ users, refreshTokens }) => {
      const create = refreshTokens.create.bind(refreshTokens);
      const versionOf = async (userId: string) => (await users.find(userId))?.version ?? 0;
      refreshTokens.create = async (token, userVersion) => {
        if ((await versionOf(token.userId)) !== userVersion) return 'stale';
        await tick();
        return await create(token, await versionOf(token.userId));
      };
    },
  ],
  'tokens outlive a password': [
    ['refresh-tokens-end-with-user', 'refresh-tokens-race-end'],
    ({ users }) => {
      const update = users.update.bind(users);
      users.update = (id, change, now, version) =>
        update(id, { ...unchangedUser, ...without(change, 'passwordHash') }, now, version);
    },
  ],
  'tokens outlive a deactivation': [
    ['refresh-tokens-end-with-user'],
    ({ users }) => {
      const update = users.update.bind(users);
      users.update = (id, change, now, version) =>
        update(id, { ...unchangedUser, ...without(change, 'status') }, now, version);
    },
  ],
  'tokens end with any change of the user': [
    ['refresh-tokens-end-with-user'],
    (storage) => {
      const { users, refreshTokens } = storage;
      const firsts = watchFirsts(storage);
      const update = users.update.bind(users);
      users.update = async (id, change, now, version) => {
        for (const { hash, userId } of firsts) if (userId === id) await refreshTokens.revoke(hash);
        return await update(id, change, now, version);
      };
    },
  ],
  'a token that was replaced looks as before': [
    ['refresh-tokens-replace'],
    ({ refreshTokens }) => {
      const find = refreshTokens.find.bind(refreshTokens);
      refreshTokens.find = async (hash) => {
        const found = await find(hash);
        return found && { ...found, isUsed: false };
      };
    },
  ],
  'using a token twice ends nothing': [
    ['refresh-tokens-replace', 'refresh-tokens-race-replace'],
    ({ refreshTokens }) => {
      const replace = refreshTokens.replace.bind(refreshTokens);
      const used = new Set<string>();
      refreshTokens.replace = async (hash, next) => {
        if (used.has(hash)) return 'used';
        used.add(hash);
        return await replace(hash, next);
      };
    },
  ],
  'of several who use a token at once all win': [
    ['refresh-tokens-race-replace'],
    ({ refreshTokens }) => {
      const replace = refreshTokens.replace.bind(refreshTokens);
      refreshTokens.replace = async (hash, next) => {
        if ((await refreshTokens.find(hash))?.isUsed !== false) return await replace(hash, next);
        await tick();
        await replace(hash, next);
        return 'replaced';
      };
    },
  ],
  'revoking a token ends that one only': [
    ['refresh-tokens-revoke'],
    ({ refreshTokens }) => {
      const revoked = new Set<string>();
      refreshTokens.revoke = (hash) => Promise.resolve(void revoked.add(hash));
      const find = refreshTokens.find.bind(refreshTokens);
      refreshTokens.find = async (hash) => (revoked.has(hash) ? undefined : await find(hash));
    },
  ],
  'revoking a token ends all of its user': [
    ['refresh-tokens-revoke'],
    (storage) => {
      const { refreshTokens } = storage;
      const firsts = watchFirsts(storage);
      const revoke = refreshTokens.revoke.bind(refreshTokens);
      refreshTokens.revoke = async (hash) => {
        const user = (await refreshTokens.find(hash))?.userId;
        for (const each of firsts) if (each.userId === user) await revoke(each.hash);
      };
    },
  ],
  'all that is over is deleted at once': [
    ['refresh-tokens-expire'],
    ({ refreshTokens }) => {
      const deleteExpired = refreshTokens.deleteExpired.bind(refreshTokens);
      refreshTokens.deleteExpired = (now) => deleteExpired(now, 1_000);
    },
  ],
  'a token is over in its last moment': [
    ['refresh-tokens-expire'],
    ({ refreshTokens }) => {
      const deleteExpired = refreshTokens.deleteExpired.bind(refreshTokens);
      refreshTokens.deleteExpired = (now, limit) => deleteExpired(now.replace('.000000Z', '.000001Z'), limit);
    },
  ],
  'what was over last is deleted first': [
    ['refresh-tokens-expire'],
    (storage) => {
      const { refreshTokens } = storage;
      const firsts = watchFirsts(storage);
      refreshTokens.deleteExpired = async (now, limit) => {
        const kept = await Promise.all(firsts.map(({ hash }) => refreshTokens.find(hash)));
        const over = kept.filter((token) => token !== undefined && token.expiresAt < now);
        const last = over.toSorted((a, b) => ((a?.expiresAt ?? '') < (b?.expiresAt ?? '') ? 1 : -1));
        for (const token of last.slice(0, limit)) await refreshTokens.revoke(token?.hash ?? '');
        return Math.min(limit, over.length);
      };
    },
  ],
};
