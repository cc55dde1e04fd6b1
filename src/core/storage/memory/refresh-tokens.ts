/** The refresh tokens of the memory storage. */
import type { Timestamp } from '../../model/timestamp.js';
import type { NewRefreshToken, RefreshToken, RefreshTokenStore } from '../../ports/refresh-token-store.js';
import type { Tables } from './tables.js';

/** No method awaits anything, so each is atomic. */
export class MemoryRefreshTokens implements RefreshTokenStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create(token: NewRefreshToken, userVersion: number): Promise<'created' | 'stale'> {
    const { users, refreshTokens } = this.#tables;
    const user = users.get(token.userId);
    if (user?.status !== 'active' || user.version !== userVersion) return Promise.resolve('stale');
    refreshTokens.add({ ...token, family: token.hash, isUsed: false });
    return Promise.resolve('created');
  }

  find(hash: string): Promise<RefreshToken | undefined> {
    const row = this.#tables.refreshTokens.get(hash);
    if (row === undefined) return Promise.resolve(undefined);
    const { userId, expiresAt, isUsed } = row;
    return Promise.resolve({ hash, userId, expiresAt, isUsed });
  }

  replace(
    hash: string,
    next: Pick<NewRefreshToken, 'hash' | 'expiresAt'>,
  ): Promise<'replaced' | 'used' | 'not-found'> {
    const { refreshTokens } = this.#tables;
    const row = refreshTokens.get(hash);
    if (row === undefined) return Promise.resolve('not-found');
    if (row.isUsed) {
      refreshTokens.deleteFamily(row);
      return Promise.resolve('used');
    }
    refreshTokens.markUsed(row);
    refreshTokens.add({ ...row, ...next });
    return Promise.resolve('replaced');
  }

  revoke(hash: string): Promise<void> {
    const row = this.#tables.refreshTokens.get(hash);
    if (row !== undefined) this.#tables.refreshTokens.deleteFamily(row);
    return Promise.resolve();
  }

  deleteExpired(now: Timestamp, limit: number): Promise<number> {
    return Promise.resolve(this.#tables.refreshTokens.deleteExpired(now, limit));
  }
}
