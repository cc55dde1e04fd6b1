/** One SQLite connection with its prepared statements, and the opening of a database file for any number of processes. */

import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { DatabaseObserver } from '../../ports/storage.js';
import type { StatementResult } from '../../ports/transaction.js';
import type { Query } from '../sql/query/query.js';
import type { SqlTask } from '../sql/query/runner.js';
import { changesSession } from '../sql/query/statements.js';
import { DatabaseSync } from './driver.js';
import { onceFree, SqliteError, sqliteErrorOf } from './errors.js';
import { existsSync, mkdirSync } from 'node:fs';
import { migrateToLatest } from '../sql/migrations/migrate.js';
import type { MigrationOptions } from '../sql/migrations/migrations.js';

/** How long SQLite itself waits for another writer, which blocks this process; longer waits use pauses. */
const haltMs = 5;

/** Texts, names and comments in SQL, which may have semicolons. */
const quoted = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--.*|\/\*[^]*?\*\//g;

type SqliteValue = string | number | bigint | Uint8Array | null;

interface PreparedStatement {
  readonly statement: StatementSyncInstance;
  /** The names of its columns; empty for a statement without rows. */
  readonly columns: readonly string[];
}

export class SqliteConnection {
  readonly path: string;
  /** Whether a statement from a hook may have left something in it, which the next transaction would find. */
  isChanged = false;
  readonly #database: DatabaseSyncInstance;
  /** By SQL text. The stores have a few hundred texts at most, so none are evicted. */
  readonly #statements = new Map<string, PreparedStatement>();

  /** @throws SqliteError when the file cannot be opened; a file that is not a database fails at its first query */
  constructor(
    path: string,
    readonly observer?: DatabaseObserver,
  ) {
    this.path = addressOf(path);
    try {
      this.#database = new DatabaseSync(this.path, { timeout: haltMs });
    } catch (error) {
      throw sqliteErrorOf(error);
    }
  }

  /** Runs a task synchronously. */
  runThrough<T>(task: SqlTask<T>): T {
    let next = task.next([]);
    while (next.done !== true) next = task.next(this.ask(next.value));
    return next.value;
  }

  /** Begins a transaction that writes. @throws an error that `isBusy` recognises, when another connection writes */
  begin(): void {
    this.execute('begin immediate');
  }

  /** Runs work in a transaction, which is rolled back if the work fails. @throws also as {@link begin} */
  inTransaction<T>(work: () => T): T {
    this.begin();
    try {
      const outcome = work();
      this.commit();
      return outcome;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  commit(): void {
    this.execute('commit');
  }

  /** Does nothing after errors that have already ended the transaction. */
  rollBack(): void {
    if (this.#database.isTransaction) this.execute('rollback');
  }

  /** Runs a statement without parameters. */
  execute(sql: string): readonly unknown[] {
    return this.ask({ sql, parameters: [] });
  }

  /**
   * @param isKept - whether the prepared statement is
   * @returns all rows
   * @throws SqliteError for a query that SQLite refuses; TypeError for a value that it cannot store unchanged
   */
  ask({ sql, parameters }: Query, isKept = true): readonly unknown[] {
    for (const parameter of parameters) {
      if (typeof parameter === 'string' && parameter.includes('\0'))
        throw new TypeError('SQLite would end a text at its U+0000');
    }
    const observe = this.observer?.statement;
    const started = observe === undefined ? 0 : performance.now();
    try {
      const { statement, columns } = this.#statements.get(sql) ?? this.#prepare(sql, isKept);
      // Not `get`, which ends the statement after its first row and hides that its commit failed.
      const rows = statement.all(...parameters) as readonly (readonly SqliteValue[])[];
      const records: Record<string, unknown>[] = [];
      for (const values of rows) {
        const record: Record<string, unknown> = {};
        for (let index = 0; index < columns.length; index++)
          record[columns[index] ?? ''] = columnValue(values[index]);
        records.push(record);
      }
      return records;
    } catch (error) {
      throw sqliteErrorOf(error);
    } finally {
      observe?.(sql, performance.now() - started);
    }
  }

  /** Runs a statement from a hook. @returns also what it wrote @throws as {@link ask}, and an error for several statements */
  askForHook(query: Query): StatementResult {
    const bare = query.sql.replace(quoted, '');
    if (/;\s*[^\s;]/.test(bare) && !/^\s*create\s+(?:temp\w*\s+)?trigger\b/i.test(bare))
      throw new Error('SQLite would run the first only of more than one statement');
    this.isChanged ||= changesSession(query.sql);
    // There may be any number of texts, and of columns where others change their tables.
    const rows = this.ask(query, false);
    const [changes] = this.execute('select changes() as written');
    return { rows, written: (changes as { readonly written: number }).written };
  }

  /** Moves the write-ahead log into the database file, as far as other connections allow it. */
  checkpoint(): void {
    this.execute('pragma wal_checkpoint(truncate)');
  }

  /**
   * Ends the connection. The package finalizes a statement only when it is garbage-collected, and SQLite keeps its files open
   * until then. So closing does not empty the write-ahead log; `checkpoint` does.
   */
  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string, isKept: boolean): PreparedStatement {
    const statement = this.#database.prepare(sql);
    // An integer beyond 2^53 throws unless it is read as a bigint. Making rows from arrays here is faster than in the driver.
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    // Names that are keys of an object are found faster in others.
    const columns = statement.columns().flatMap(({ name }) => Object.keys({ [name]: name }));
    const prepared = { statement, columns };
    if (isKept) this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** Databases in memory that have a name and are shared by the connections of this process: those of `:memory:` would each have its own. */
const sharedMemory = /^file:\/[0-9a-f-]{36}\?vfs=memdb$/;

/** @returns a new database for `:memory:`; else an absolute path, because SQLite treats one that begins with `file:` as a URI */
function addressOf(path: string): string {
  if (path === ':memory:') return `file:/${randomUUID()}?vfs=memdb`;
  return sharedMemory.test(path) ? path : resolve(path);
}

/** Converts an integer to a number, or to its digits if a number would round it (`SqlInteger`). */
function columnValue(value: SqliteValue | undefined): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/**
 * @param path created if it does not exist, with its directories; without migrations, an empty database in memory takes its place
 * @throws the error of SQLite or the file system; ServiceError `unavailable` when another process holds the file
 */
export async function openDatabase(
  path: string,
  options: MigrationOptions = {},
  observer?: DatabaseObserver,
): Promise<SqliteConnection> {
  const isRead = options.migrate === false && !existsSync(path);
  if (!isRead) mkdirSync(dirname(path), { recursive: true });
  const connection = await connect(isRead ? ':memory:' : path, observer);
  try {
    await migrate(connection, options);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Connects to a database file, whose tables may be of any version. @throws the error of SQLite, with the path in its message */
export async function connect(path: string, observer?: DatabaseObserver): Promise<SqliteConnection> {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(path, observer);
    await prepare(connection);
    return connection;
  } catch (error) {
    connection?.close();
    throw error instanceof SqliteError
      ? new SqliteError(`${path}: ${error.message}`, error.code, { cause: error })
      : error;
  }
}

async function prepare(connection: SqliteConnection): Promise<void> {
  await onceFree(() => connection.execute('pragma journal_mode = wal')); // readers and a writer do not wait for each other
  connection.execute('pragma synchronous = full'); // a commit is on the disk before it is acknowledged
  connection.execute('pragma foreign_keys = on');
  connection.execute('pragma cache_size = -16000'); // kibibytes
}

/** Returns a row if there is a table with the name of the parameter. */
export const findTable = 'select 1 from sqlite_master where name = ?';

async function migrate(connection: SqliteConnection, options: MigrationOptions): Promise<void> {
  // One process migrates; another that starts at the same time waits here, and then has nothing to migrate.
  await onceFree(() => connection.begin());
  try {
    const report = await migrateToLatest('sqlite', (query) => connection.ask(query), findTable, options);
    connection.commit();
    report();
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}
