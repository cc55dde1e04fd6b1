/** One SQLite connection, which keeps what it has prepared. */
import type { Database, Statement } from 'better-sqlite3';
import type { Query, Step } from '../sql/step.js';

export class SqliteConnection {
  readonly #database: Database;
  /** By their text. The stores have a few hundred texts at most. */
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Where the database is. */
  get path(): string {
    return this.#database.name;
  }

  /** Runs a step within this call. */
  runThrough<T>(step: Step<T>): T {
    let next = step.next([]);
    while (next.done !== true) next = step.next(this.#ask(next.value));
    return next.value;
  }

  /** Begins a transaction that writes. @throws an error that `isBusy` knows, when another connection writes */
  begin(): void {
    this.#ask({ sql: 'begin immediate', parameters: [] });
  }

  commit(): void {
    this.#ask({ sql: 'commit', parameters: [] });
  }

  /** Some errors have ended the transaction already. */
  rollBack(): void {
    if (this.#database.inTransaction) this.#ask({ sql: 'rollback', parameters: [] });
  }

  close(): void {
    this.#database.close();
  }

  #ask({ sql, parameters }: Query): readonly unknown[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    if (statement.reader) return statement.all(...parameters);
    statement.run(...parameters);
    return [];
  }
}
