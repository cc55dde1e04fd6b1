/** The storage in a PostgreSQL database, for any number of processes. */
import { keptFieldsOf } from '../model/stored.js';
import type { DatabaseObserver } from '../ports/storage.js';
import type { SqlStorage } from '../ports/store-rows.js';
import { databaseDeadlines, type PostgresPool } from './postgres/connection.js';
import { migratePostgres } from './postgres/migrate.js';
import type { MigrationOptions } from './sql/migrations/migrations.js';
import { openPool } from './postgres/pools.js';
import { pingPatienceMs, PostgresRunner } from './postgres/runner.js';
import { sqlStorage } from './sql/storage.js';

export type PostgresStorageOptions = PostgresDatabase & MigrationOptions;

type PostgresDatabase =
  /**
   * A `postgres://` URL. The storage opens a pool with the {@link databaseDeadlines}, and closes it. The URL may set other deadlines:
   * `?lock_timeout=1000`. It may list several hosts: `a:5432,b:5432`. The storage uses the first that accepts writes, or that fits
   * `?target_session_attrs=`, and looks for another when that one fails.
   */
  | {
      readonly url: string;
      /** The maximum number of connections; ten unless given. One more is for pings. */
      readonly poolSize?: number | undefined;
      /**
       * `transaction` for a URL of a pooler that gives each transaction another connection, such as PgBouncer with
       * `pool_mode = transaction`: statements are unnamed, and each transaction sets its own deadlines. It needs a `directUrl`.
       */
      readonly pooler?: 'session' | 'transaction' | undefined;
      /** The URL of the server itself, for migrations; unless given, they use `url`. */
      readonly directUrl?: string | undefined;
      /** Called with the error of an idle connection that breaks. The pool replaces the connection. */
      readonly onConnectionError?: (error: Error) => void;
      /** Observes the calls of stores, the pool and the statements. */
      readonly observer?: DatabaseObserver;
    }
  /**
   * The caller's own pool, which the caller closes. The storage changes no type parser and no session setting: give the pool
   * the {@link databaseDeadlines} too, or a write that was answered with `unavailable` may still happen.
   */
  | { readonly pool: PostgresPool };

export { databaseDeadlines, type SqlStorage };

/**
 * Connects to a database and migrates its tables, in the first schema of the search path. Any number of processes may do so
 * at once and share the database. It needs PostgreSQL 12 or later and a database encoded in UTF8.
 *
 * @throws ServiceError `unavailable` when the database does not answer; PostgreSQL's error when it refuses
 *
 * @example
 * ```ts
 * const storage = await postgresStorage({ url: 'postgres://concordat@localhost/concordat' });
 * ```
 */
export async function postgresStorage(options: PostgresStorageOptions): Promise<SqlStorage> {
  const { pool, probes, end } =
    'pool' in options
      ? { pool: options.pool, probes: undefined, end: () => Promise.resolve() }
      : poolsOf(options);
  const directUrl = 'pool' in options ? undefined : options.directUrl;
  const direct = directUrl === undefined ? undefined : openPool(directUrl, 'concordat', { max: 1 });
  try {
    await migratePostgres(direct ?? pool, options);
  } catch (error) {
    await end();
    throw error;
  } finally {
    await direct?.end();
  }
  const observer = 'pool' in options ? options.pool.observer : options.observer;
  return sqlStorage(new PostgresRunner(pool, end, probes, keptFieldsOf(options.contract)), observer);
}

function poolsOf({
  url,
  poolSize = 10,
  observer = {},
  ...options
}: Exclude<PostgresDatabase, { pool: PostgresPool }>) {
  const pool = openPool(url, 'concordat', { ...options, observer, max: poolSize });
  observer.pool?.(() => pool.state());
  // For the pings, which must not wait until other work returns its connection. It is opened at the first, and then kept, because a busy server may accept no more connections.
  const kept = { max: 1, connectionTimeoutMillis: pingPatienceMs, idleTimeoutMillis: 0 };
  const probes = openPool(url, 'concordat ping', { ...options, ...kept });
  return { pool, probes, end: () => Promise.all([pool.end(), probes.end()]).then(() => undefined) };
}
