/** Opens a database file, for any number of processes, and brings its tables up to date. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { migrateToLatest } from '../sql/migrate.js';
import { sqliteWords } from '../sql/migrations/words.js';
import { onceFree } from './busy.js';

/** How long SQLite itself waits for another writer, with this process at a halt: what lasts longer is worth a pause. */
const haltMs = 5;

/**
 * @param path is made where there is none, with the directories above it
 * @param onMigration told the name of each migration that ran
 * @throws what SQLite or the file system said; ServiceError `unavailable` when another process holds the file
 */
export async function openDatabase(
  path: string,
  onMigration: (name: string) => void = () => undefined,
): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true });
  const database = await connect(path);
  try {
    await migrate(database, onMigration);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Connects to a database file, whose tables may be of any version. */
export async function connect(path: string): Promise<Database> {
  const database = new BetterSqlite3(path, { timeout: haltMs });
  try {
    await onceFree(() => database.pragma('journal_mode = wal')); // readers and a writer do not wait for each other
    database.pragma('synchronous = full'); // a commit is on the disk before it is acknowledged
    database.pragma('foreign_keys = on');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function migrate(database: Database, onMigration: (name: string) => void): Promise<void> {
  // One process migrates; another that starts at the same time waits here, and then finds nothing to do.
  await onceFree(() => database.exec('begin immediate'));
  try {
    // Never destroyed: that would close the database.
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    await migrateToLatest(db, sqliteWords, onMigration);
    database.exec('commit');
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}
