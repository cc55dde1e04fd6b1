/** The storage in a PostgreSQL database, for any number of processes. */
import pg from 'pg';
import type { Storage } from '../ports/storage.js';
import { databaseDeadlines, migratePostgres, type PostgresPool } from './postgres/connection.js';
import { PostgresRunner } from './postgres/runner.js';
import { sqlStorage } from './sql/storage.js';

export type PostgresStorageOptions = PostgresDatabase & {
  /** Called with the name of each migration that ran, before the factory returns. */
  readonly onMigration?: (name: string) => void;
};

type PostgresDatabase =
  /**
   * A `postgres://` URL. The storage opens a pool of up to ten connections with the {@link databaseDeadlines}, and closes it.
   * The URL may set other deadlines: `?lock_timeout=1000`.
   */
  | { readonly url: string }
  /**
   * The caller's own pool, which the caller closes. The storage changes no type parser and no session setting: give the pool
   * the {@link databaseDeadlines} too, or a write that was answered with `unavailable` may still happen.
   */
  | { readonly pool: PostgresPool };

export { databaseDeadlines };

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
export async function postgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { pool, end } = 'pool' in options ? { pool: options.pool, end: leave } : ownPool(options.url);
  try {
    await migratePostgres(pool, options.onMigration ?? (() => undefined));
  } catch (error) {
    await end();
    throw error;
  }
  return sqlStorage(new PostgresRunner(pool, end));
}

function leave(): Promise<void> {
  return Promise.resolve();
}

function ownPool(url: string): { pool: PostgresPool; end: () => Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'concordat',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...databaseDeadlines,
  });
  // The pool removes a broken idle connection by itself, but an `error` event without a listener would end the process.
  pool.on('error', () => undefined);
  // The same holds for a connection that breaks after it is handed out and before the storage listens to it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, end: () => pool.end() };
}
