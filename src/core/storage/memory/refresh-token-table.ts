/** Refresh tokens by hash, by user, and in the order of their expiry. */
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { RefreshToken } from '../../ports/credential-store.js';

export interface RefreshTokenRow extends RefreshToken {
  /** The hash of the first token of the family. */
  readonly family: string;
}

export class RefreshTokenTable {
  readonly #byHash = new Map<string, RefreshTokenRow>();
  readonly #byUser = new Map<Id, Set<string>>();
  /** Ascending by expiry. The entry of a token that was deleted earlier stays until the token would have expired. */
  readonly #ends: { readonly hash: string; readonly expiresAt: Timestamp }[] = [];

  get(hash: string): RefreshTokenRow | undefined {
    return this.#byHash.get(hash);
  }

  add(row: RefreshTokenRow): void {
    const { hash, userId, expiresAt } = row;
    this.#byHash.set(hash, row);
    const ofUser = this.#byUser.get(userId) ?? new Set();
    this.#byUser.set(userId, ofUser.add(hash));
    // All tokens have the same lifetime, so the new one nearly always goes to the end.
    const before = this.#ends.findLastIndex((end) => end.expiresAt <= expiresAt);
    this.#ends.splice(before + 1, 0, { hash, expiresAt });
  }

  markUsed(row: RefreshTokenRow): void {
    this.#byHash.set(row.hash, { ...row, isUsed: true });
  }

  deleteFamily({ userId, family }: RefreshTokenRow): void {
    this.#deleteOf(userId, (row) => row.family === family);
  }

  deleteOfUser(userId: Id): void {
    this.#deleteOf(userId, () => true);
  }

  deleteExpired(now: Timestamp, limit: number): number {
    let deleted = 0;
    let passed = 0;
    for (const { hash, expiresAt } of this.#ends) {
      if (expiresAt >= now || deleted === limit) break;
      passed += 1;
      const row = this.#byHash.get(hash);
      if (row === undefined) continue;
      this.#delete(row);
      deleted += 1;
    }
    this.#ends.splice(0, passed);
    return deleted;
  }

  #deleteOf(userId: Id, test: (row: RefreshTokenRow) => boolean): void {
    for (const hash of this.#byUser.get(userId) ?? []) {
      const row = this.#byHash.get(hash);
      if (row !== undefined && test(row)) this.#delete(row);
    }
  }

  #delete({ hash, userId }: RefreshTokenRow): void {
    this.#byHash.delete(hash);
    const ofUser = this.#byUser.get(userId);
    ofUser?.delete(hash);
    if (ofUser?.size === 0) this.#byUser.delete(userId);
  }
}
