/** The storage in a SQLite file: nothing to install or to run, and as durable as the disk under it. */
import { keptFieldsOf } from '../model/stored.js';
import type { DatabaseObserver } from '../ports/storage.js';
import type { SqlStorage } from '../ports/store-rows.js';
import { sqlStorage } from './sql/storage.js';
import type { MigrationOptions } from './sql/migrations/migrations.js';
import { openDatabase } from './sqlite/connection.js';
import { backUpSqlite, restoreSqlite } from './sqlite/backup.js';
import { SqliteRunner } from './sqlite/runner.js';

export type { StoreRows, TableRow } from '../ports/store-rows.js';
export { backUpSqlite, restoreSqlite, type SqlStorage };

export interface SqliteStorageOptions extends MigrationOptions {
  /**
   * The database file; it and its directories are created if they do not exist. `:memory:` is a new database in memory, for tests: while a
   * transaction writes, its other readers wait, so a hook reads through its own transaction.
   */
  readonly path: string;
  /** Observes the calls of stores and the statements. */
  readonly observer?: DatabaseObserver;
}

/**
 * Opens a database file and brings its tables up to date. Several processes may use one file at once, even while all of them start.
 *
 * Every acknowledged write has been flushed to the disk (`synchronous = full`), so it survives a crash of the process and a loss of
 * power. With `normal`, whose commits are a few times faster, it would survive only a crash of the process.
 *
 * @throws the error of SQLite or the file system; ServiceError `unavailable` when another process holds the file
 *
 * @example
 * ```ts
 * const storage = await sqliteStorage({ path: './data/service.db' });
 * ```
 */
export async function sqliteStorage({
  path,
  observer,
  ...options
}: SqliteStorageOptions): Promise<SqlStorage> {
  const connection = await openDatabase(path, options, observer);
  return sqlStorage(new SqliteRunner(connection, keptFieldsOf(options.contract)), observer);
}
