/** The refresh tokens of the SQL storages. */
import { parseId, type Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewRefreshToken, RefreshToken, RefreshTokenStore } from '../../ports/refresh-token-store.js';
import type { SqlRunner, SqlDialect } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';
import type { Compilable, Insertable } from 'kysely';
import { PreparedQuery } from './query/prepared-query.js';
import type { RefreshTokensTable, SqlInteger } from './query/schema.js';

interface RefreshTokenRow {
  readonly hash: string;
  readonly user_id: SqlInteger;
  readonly family: string;
  readonly used: SqlInteger;
  readonly expires_at: Timestamp;
}

export class RefreshTokenQueries {
  readonly #builder: SqlRunner['builder'];

  readonly byHash: PreparedQuery<RefreshTokenRow>;

  constructor({ builder, dialect }: SqlRunner) {
    this.#builder = builder;
    const token = builder.selectFrom('refresh_tokens').select(columnsOf(dialect)).where('hash', '=', '');
    this.byHash = new PreparedQuery('refreshTokens.byHash', token);
  }

  /**
   * Locks the user's row until the transaction ends. Every change of a user or of their tokens takes this lock: otherwise
   * PostgreSQL would let one transaction add a token while another deletes all tokens of the user.
   *
   * @param version - when given, returns no row for a user who has another version or is not active
   */
  lockUser(id: SqlInteger, version?: number): Compilable<{ readonly id: SqlInteger }> {
    const lock = this.#builder
      .updateTable('users')
      .set((eb) => ({ name: eb.ref('name') }))
      .where('id', '=', id);
    const chosen =
      version === undefined ? lock : lock.where('version', '=', version).where('status', '=', 'active');
    return chosen.returning('id');
  }

  insert(token: Omit<Insertable<RefreshTokensTable>, 'used'>): Compilable<object> {
    return this.#builder.insertInto('refresh_tokens').values({ ...token, used: 0 });
  }

  /** Returns no row when there is no such token, or it was used before. */
  markUsed(hash: string): Compilable<Pick<RefreshTokenRow, 'hash'>> {
    return this.#builder
      .updateTable('refresh_tokens')
      .set({ used: 1 })
      .where('hash', '=', hash)
      .where('used', '=', 0)
      .returning('hash');
  }

  deleteFamily(family: string): Compilable<object> {
    return this.#builder.deleteFrom('refresh_tokens').where('family', '=', family);
  }

  deleteOfUser(userId: Id): Compilable<object> {
    return this.#builder.deleteFrom('refresh_tokens').where('user_id', '=', userId);
  }

  deleteExpired(now: Timestamp, limit: number): Compilable<Pick<RefreshTokenRow, 'hash'>> {
    return this.#builder
      .deleteFrom('refresh_tokens')
      .where('hash', 'in', (eb) =>
        eb
          .selectFrom('refresh_tokens')
          .select('hash')
          .where('expires_at', '<', now)
          .orderBy('expires_at')
          .limit(limit),
      )
      .returning('hash');
  }
}

function columnsOf({ moment }: SqlDialect) {
  return ['hash', 'user_id', 'family', 'used', moment('expires_at').as('expires_at')] as const;
}

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
