/** The storage in a SQLite file: nothing to install or to run, and as durable as the disk under it. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Storage } from '../../core/ports/storage.js';
import { migrateToLatest } from './sql/migrate.js';
import { sqliteWords } from './sql/migrations/words.js';
import { sqlStorage } from './sql/storage.js';
import { onceFree } from './sqlite/busy.js';
import { SqliteSession } from './sqlite/session.js';

export interface SqliteStorageOptions {
  /** The database file. It is made where there is none, with the directories above it. */
  readonly path: string;
}

/**
 * Opens a database file and brings its tables up to date. Several processes may use one file at once, also while all of
 * them start.
 *
 * Every acknowledged write has been flushed to the disk (`synchronous = full`): it survives the end of the process and of
 * the machine's power. With `normal` it would survive the process only, for commits that are a few times faster.
 *
 * @throws what SQLite or the file system said; ServiceError `unavailable` when another process holds the file
 *
 * @example
 * ```ts
 * const storage = await sqliteStorage({ path: './data/service.db' });
 * ```
 */
export async function sqliteStorage({ path }: SqliteStorageOptions): Promise<Storage> {
  mkdirSync(dirname(path), { recursive: true });
  const database = new BetterSqlite3(path);
  try {
    await prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return sqlStorage(new SqliteSession(database));
}

/** How long SQLite itself waits for another writer, with this process at a halt: what lasts longer is worth a pause. */
const haltMs = 5;

async function prepare(database: Database): Promise<void> {
  database.pragma(`busy_timeout = ${haltMs}`);
  await onceFree(() => database.pragma('journal_mode = wal'));
  database.pragma('synchronous = full');
  database.pragma('foreign_keys = on');
  // One process migrates; another that starts at the same time waits here, and then finds nothing to do.
  await onceFree(() => database.exec('begin immediate'));
  try {
    // Never destroyed: that would close the database.
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    await migrateToLatest(db, sqliteWords);
    database.exec('commit');
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}
