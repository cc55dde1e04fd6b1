/** The refresh tokens of the SQL storages. */
import { parseId } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewRefreshToken, RefreshToken, RefreshTokenStore } from '../../ports/refresh-token-store.js';
import { RefreshTokenQueries } from './refresh-token-queries.js';
import type { SqlRunner } from './runner.js';
import { rowOf, rowsOf, type SqlTask } from './task.js';

export class SqlRefreshTokens implements RefreshTokenStore {
  readonly #runner: SqlRunner;
  readonly #queries: RefreshTokenQueries;

  constructor(runner: SqlRunner) {
    this.#runner = runner;
    this.#queries = new RefreshTokenQueries(runner);
  }

  create(token: NewRefreshToken, userVersion: number): Promise<'created' | 'stale'> {
    return this.#runner.runAtomically(() => this.#create(token, userVersion));
  }

  *#create({ hash, userId, expiresAt }: NewRefreshToken, userVersion: number): SqlTask<'created' | 'stale'> {
    if (parseId(userId) === undefined) return 'stale';
    if ((yield* rowOf(this.#queries.lockUser(userId, userVersion))) === undefined) return 'stale';
    yield* rowsOf(this.#queries.insert({ hash, user_id: userId, family: hash, expires_at: expiresAt }));
    return 'created';
  }

  find(hash: string): Promise<RefreshToken | undefined> {
    return this.#runner.run(() => this.#find(hash));
  }

  *#find(hash: string): SqlTask<RefreshToken | undefined> {
    const row = yield* rowOf(this.#queries.byHash.with(hash));
    if (row === undefined) return undefined;
    return {
      hash,
      userId: String(row.user_id),
      expiresAt: row.expires_at,
      isUsed: Number(row.used) === 1,
    };
  }

  replace(
    hash: string,
    next: Pick<NewRefreshToken, 'hash' | 'expiresAt'>,
  ): Promise<'replaced' | 'used' | 'not-found'> {
    return this.#runner.runAtomically(() => this.#replace(hash, next));
  }

  *#replace(
    hash: string,
    next: Pick<NewRefreshToken, 'hash' | 'expiresAt'>,
  ): SqlTask<'replaced' | 'used' | 'not-found'> {
    const token = yield* this.#lock(hash);
    if (token === undefined) return 'not-found';
    const { user_id, family } = token;
    if ((yield* rowOf(this.#queries.markUsed(hash))) === undefined) {
      yield* rowsOf(this.#queries.deleteFamily(family));
      return 'used';
    }
    yield* rowsOf(this.#queries.insert({ hash: next.hash, user_id, family, expires_at: next.expiresAt }));
    return 'replaced';
  }

  revoke(hash: string): Promise<void> {
    return this.#runner.runAtomically(() => this.#revoke(hash));
  }

  *#revoke(hash: string): SqlTask<void> {
    const token = yield* this.#lock(hash);
    if (token !== undefined) yield* rowsOf(this.#queries.deleteFamily(token.family));
  }

  deleteExpired(now: Timestamp, limit: number): Promise<number> {
    return this.#runner.run(() => this.#deleteExpired(now, limit));
  }

  *#deleteExpired(now: Timestamp, limit: number): SqlTask<number> {
    return (yield* rowsOf(this.#queries.deleteExpired(now, limit))).length;
  }

  /** Locks the row of the token's user, and returns the token if it still exists then. */
  *#lock(hash: string) {
    const token = yield* rowOf(this.#queries.byHash.with(hash));
    if (token === undefined) return undefined;
    yield* rowsOf(this.#queries.lockUser(token.user_id));
    return yield* rowOf(this.#queries.byHash.with(hash));
  }
}
