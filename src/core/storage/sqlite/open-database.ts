/** Opens a database file, for any number of processes, and brings its tables up to date. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { migrateToLatest } from '../sql/migrations/migrations.js';
import { sqliteColumnTypes } from '../sql/migrations/column-types.js';
import { onceFree } from './errors.js';
import { SqliteConnection } from './connection.js';

/**
 * @param path created if it does not exist, with its directories
 * @param onMigration called with the name of each migration that ran
 * @throws the error of SQLite or the file system; ServiceError `unavailable` when another process holds the file
 */
export async function openDatabase(
  path: string,
  onMigration: (name: string) => void = () => undefined,
): Promise<SqliteConnection> {
  mkdirSync(dirname(path), { recursive: true });
  const connection = await connect(path);
  try {
    await migrate(connection, onMigration);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Connects to a database file, whose tables may be of any version. */
export async function connect(path: string): Promise<SqliteConnection> {
  const connection = new SqliteConnection(path);
  try {
    await onceFree(() => connection.execute('pragma journal_mode = wal')); // readers and a writer do not wait for each other
    connection.execute('pragma synchronous = full'); // a commit is on the disk before it is acknowledged
    connection.execute('pragma foreign_keys = on');
    connection.execute('pragma cache_size = -16000'); // kibibytes
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function migrate(connection: SqliteConnection, onMigration: (name: string) => void): Promise<void> {
  // One process migrates; another that starts at the same time waits here, and then has nothing to migrate.
  await onceFree(() => connection.begin());
  try {
    // This Kysely instance is never destroyed, which would close the connection.
    const dialect = new SqliteDialect({ database: kyselyDatabase(connection) });
    await migrateToLatest(new Kysely<unknown>({ dialect }), sqliteColumnTypes, onMigration);
    connection.commit();
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}

/** The connection in the shape that Kysely's dialect needs. Every statement is a `reader`, which may return no rows. */
function kyselyDatabase(connection: SqliteConnection): SqliteDatabase {
  const unused = (): never => {
    throw new Error('Migrations read all rows of a statement');
  };
  return {
    prepare: (sql) => ({
      reader: true,
      all: (parameters) => [...connection.ask({ sql, parameters })],
      run: unused,
      iterate: unused,
    }),
    close: () => connection.close(),
  };
}
