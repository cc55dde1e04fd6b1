/** The queries behind the refresh tokens of the SQL storages. */
import type { Compilable, Insertable } from 'kysely';
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import { PreparedQuery } from './prepared-query.js';
import type { RefreshTokensTable, SqlInteger } from './schema.js';
import type { SqlDialect, SqlRunner } from './runner.js';

export interface RefreshTokenRow {
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
