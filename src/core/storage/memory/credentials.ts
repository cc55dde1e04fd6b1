/** The refresh tokens and API keys of the memory storage. */

import type { ApiKey } from '../../model/credentials.js';
import { latestOf } from '../../model/timestamp.js';
import type { ApiKeyStore, RefreshTokenStore } from '../../ports/credential-store.js';
import { type AtOnce, oldestExpired, type MemoryTables } from './tables.js';

export function memoryRefreshTokens(tables: MemoryTables): AtOnce<RefreshTokenStore> {
  const { refreshTokens, users } = tables;
  const deleteFamily = (family: string) => tables.deleteTokens((row) => row.family === family);

  return {
    create(token, userVersion) {
      const user = users.get(token.userId);
      if (user?.status !== 'active' || user.version !== userVersion) return 'stale';
      refreshTokens.set(token.hash, { ...token, family: token.hash, isUsed: false });
      return 'created';
    },

    find(hash) {
      const row = refreshTokens.get(hash);
      if (row === undefined) return undefined;
      const { userId, expiresAt, isUsed } = row;
      return { hash, userId, expiresAt, isUsed };
    },

    replace(hash, next) {
      const row = refreshTokens.get(hash);
      if (row === undefined) return 'not-found';
      if (row.isUsed) {
        deleteFamily(row.family);
        return 'used';
      }
      refreshTokens.set(hash, { ...row, isUsed: true });
      refreshTokens.set(next.hash, { ...row, ...next });
      return 'replaced';
    },

    revoke(hash) {
      const row = refreshTokens.get(hash);
      if (row !== undefined) deleteFamily(row.family);
    },

    deleteExpired(now, limit) {
      const expired = oldestExpired(refreshTokens.values(), ({ expiresAt }) => expiresAt < now, limit);
      for (const { hash } of expired) refreshTokens.delete(hash);
      return expired.length;
    },
  };
}

export function memoryApiKeys({ apiKeys, apiKeysByOwner, users }: MemoryTables): AtOnce<ApiKeyStore> {
  function change(id: string, changed: (apiKey: ApiKey) => Partial<ApiKey>): boolean {
    const row = apiKeys.get(id);
    if (row === undefined) return false;
    apiKeys.replace({ ...row, apiKey: Object.freeze({ ...row.apiKey, ...changed(row.apiKey) }) });
    return true;
  }

  return {
    create({ name, hash, ownerId }, now) {
      if (ownerId !== undefined && users.get(ownerId) === undefined) return 'owner-not-found';
      const id = apiKeys.nextId();
      const apiKey = Object.freeze<ApiKey>({ id, name, active: true, createdAt: now, lastUsedAt: undefined });
      apiKeys.add({ id, apiKey, hash, ownerId });
      return apiKey;
    },

    find: (id) => apiKeys.get(id)?.apiKey,

    findCredentials(id) {
      const row = apiKeys.get(id);
      return row && { apiKey: row.apiKey, hash: row.hash };
    },

    list: (slice) => apiKeys.slice(slice).map(({ apiKey }) => apiKey),
    count: () => apiKeys.count(),
    deactivate: (id) => (change(id, () => ({ active: false })) ? 'deactivated' : 'not-found'),

    deactivateAllOf(ownerId) {
      // Keys without an owner are listed under the empty text.
      const keys = ownerId === '' ? [] : (apiKeysByOwner.get(ownerId)?.all() ?? []);
      const active = keys.filter(({ apiKey }) => apiKey.active);
      for (const { id } of active) change(id, () => ({ active: false }));
      return active.length;
    },

    recordUse(id, at) {
      change(id, ({ lastUsedAt = at }) => ({ lastUsedAt: latestOf(lastUsedAt, at) }));
    },
  };
}
