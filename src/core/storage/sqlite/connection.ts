/** One SQLite connection, which keeps its prepared statements. */
import { resolve } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Query, SqlTask } from '../sql/task.js';
import { sqliteErrorOf } from './sqlite-error.js';

/** How long SQLite itself waits for another writer, with this process at a halt: what lasts longer is worth a pause. */
const haltMs = 5;

type SqliteValue = string | number | bigint | Uint8Array | null;

interface PreparedStatement {
  readonly statement: StatementSyncInstance;
  /** The names of its columns; none for a statement that gives no rows. */
  readonly columns: readonly string[];
}

export class SqliteConnection {
  readonly path: string;
  readonly #database: DatabaseSyncInstance;
  /** By their text. The stores have a few hundred texts at most. */
  readonly #statements = new Map<string, PreparedStatement>();

  /** @throws SqliteError when the file cannot be opened; one that is no database fails at its first query */
  constructor(path: string) {
    this.path = resolve(path); // absolute: SQLite takes what begins with `file:` for a URI
    try {
      // An integer beyond 2^53 throws unless it is read as a bigint. Rows made here of arrays are faster than the package's.
      const options = { timeout: haltMs, readBigInts: true, returnArrays: true };
      this.#database = new DatabaseSync(this.path, options);
    } catch (error) {
      throw sqliteErrorOf(error);
    }
  }

  /** Runs a task within this call. */
  runThrough<T>(task: SqlTask<T>): T {
    let next = task.next([]);
    while (next.done !== true) next = task.next(this.ask(next.value));
    return next.value;
  }

  /** Begins a transaction that writes. @throws an error that `isBusy` knows, when another connection writes */
  begin(): void {
    this.execute('begin immediate');
  }

  commit(): void {
    this.execute('commit');
  }

  /** Some errors have ended the transaction already. */
  rollBack(): void {
    if (this.#database.isTransaction) this.execute('rollback');
  }

  /** Runs a statement that has no values to be given. */
  execute(sql: string): readonly unknown[] {
    return this.ask({ sql, parameters: [] });
  }

  /**
   * @returns all rows
   * @throws SqliteError for what SQLite refuses; TypeError for a value that it cannot keep as it is
   */
  ask({ sql, parameters }: Query): readonly unknown[] {
    if (parameters.some(isCut)) throw new TypeError('SQLite would end a text at its U+0000');
    try {
      const { statement, columns } = this.#statements.get(sql) ?? this.#prepare(sql);
      // Not `get`, which ends the statement after its first row and hides that its commit failed.
      const rows = statement.all(...parameters) as readonly (readonly SqliteValue[])[];
      return rows.map((values) => rowOf(columns, values));
    } catch (error) {
      throw sqliteErrorOf(error);
    }
  }

  /** Moves what the write-ahead log holds into the database file, as far as no other connection is in the way. */
  checkpoint(): void {
    this.execute('pragma wal_checkpoint(truncate)');
  }

  /**
   * Ends the connection. The package finalizes a statement only when it is garbage-collected, and SQLite keeps its files open
   * until then: closing does not empty the write-ahead log, `checkpoint` does.
   */
  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): PreparedStatement {
    const statement = this.#database.prepare(sql);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

function isCut(parameter: unknown): boolean {
  return typeof parameter === 'string' && parameter.includes('\0');
}

function rowOf(
  columns: readonly string[],
  values: readonly SqliteValue[],
): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) row[column] = columnValue(values[index]);
  return row;
}

/** An integer is a number, or its digits where a number would round it: what the tables call a `SqlInteger`. */
function columnValue(value: SqliteValue | undefined): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
