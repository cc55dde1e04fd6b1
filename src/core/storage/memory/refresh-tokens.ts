/** The refresh tokens of the memory storage. */
import type { RefreshTokenStore } from '../../ports/refresh-token-store.js';
import type { AtOnce } from './store-of.js';
import type { Tables } from './tables.js';

export function memoryRefreshTokens({ refreshTokens, users }: Tables): AtOnce<RefreshTokenStore> {
  return {
    create(token, userVersion) {
      const user = users.get(token.userId);
      if (user?.status !== 'active' || user.version !== userVersion) return 'stale';
      refreshTokens.add({ ...token, family: token.hash, isUsed: false });
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
        refreshTokens.deleteFamily(row);
        return 'used';
      }
      refreshTokens.markUsed(row);
      refreshTokens.add({ ...row, ...next });
      return 'replaced';
    },

    revoke(hash) {
      const row = refreshTokens.get(hash);
      if (row !== undefined) refreshTokens.deleteFamily(row);
    },

    deleteExpired: (now, limit) => refreshTokens.deleteExpired(now, limit),
  };
}
