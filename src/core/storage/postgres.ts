/** The storage in a PostgreSQL database, for any number of processes. */
import pg from 'pg';
import type { Storage } from '../ports/storage.js';
import { migratePostgres } from './postgres/migrate.js';
import type { PostgresPool } from './postgres/pool.js';
import { PostgresSession } from './postgres/session.js';
import { sqlStorage } from './sql/storage.js';

export type PostgresStorageOptions = PostgresDatabase & {
  /** Told the name of each migration that ran, before the storage is there. */
  readonly onMigration?: (name: string) => void;
};

type PostgresDatabase =
  /** A `postgres://` URL, as libpq reads it. The storage makes a pool of up to ten connections, and ends it. */
  | { readonly url: string }
  /** A pool of the caller's, who ends it. Nothing of it is changed, no type parser and no setting of a session. */
  | { readonly pool: PostgresPool };

/**
 * Connects to a database and brings its tables up to date, in the first schema of the search path. Any number of processes
 * may do so at once, and share the database. PostgreSQL 12 or later; a database encoded in UTF8.
 *
 * @throws ServiceError `unavailable` when the database does not answer; what it said when it refuses
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
  return sqlStorage(new PostgresSession(pool, end));
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
  });
  // An idle connection that breaks leaves the pool by itself; the event must only not go unheard.
  pool.on('error', () => undefined);
  // So must that of one that breaks in the moment in which it is handed out, before the storage listens to it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, end: () => pool.end() };
}
