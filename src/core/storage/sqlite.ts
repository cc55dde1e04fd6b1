/** The storage in a SQLite file: nothing to install or to run, and as durable as the disk under it. */
import type { Storage } from '../ports/storage.js';
import { sqlStorage } from './sql/storage.js';
import { openDatabase } from './sqlite/open-database.js';
import { SqliteRunner } from './sqlite/runner.js';

export interface SqliteStorageOptions {
  /** The database file. It is made where there is none, with the directories above it. */
  readonly path: string;
  /** Told the name of each migration that ran, before the storage is there. */
  readonly onMigration?: (name: string) => void;
}

/**
 * Opens a database file and brings its tables up to date. Several processes may use one file at once, also while all of
 * them start.
 *
 * Every acknowledged write has been flushed to the disk (`synchronous = full`): it survives the end of the process and of
 * the machine's power. With `normal`, whose commits are a few times faster, it would survive the process only.
 *
 * @throws what SQLite or the file system said; ServiceError `unavailable` when another process holds the file
 *
 * @example
 * ```ts
 * const storage = await sqliteStorage({ path: './data/service.db' });
 * ```
 */
export async function sqliteStorage({ path, onMigration }: SqliteStorageOptions): Promise<Storage> {
  return sqlStorage(new SqliteRunner(await openDatabase(path, onMigration)));
}
