/** Runs tasks on one SQLite connection. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../../model/error.js';
import type { KeptFields } from '../../model/stored.js';
import { Semaphore } from '../../pacing/pacing.js';
import type { SqlRunner, SqlTask, SqlTransaction } from '../sql/query/runner.js';
import { withStatements } from '../sql/query/statements.js';
import { requireMigrations } from '../sql/migrations/migrate.js';
import { connect, findTable, type SqliteConnection } from './connection.js';
import { sqliteBuilder, sqliteDialect } from './dialect.js';
import { isBusy, onceFree, patienceMs, SqliteError } from './errors.js';

/**
 * A task runs synchronously within one call. Tasks therefore share one connection without interleaving, and block other processes
 * only as long as their queries take.
 */
export class SqliteRunner implements SqlRunner {
  readonly builder = sqliteBuilder;
  readonly dialect = sqliteDialect;
  readonly #waiting = new Set<Promise<unknown>>();
  /** The other work around which tasks run, one after the other, and the writes that wait for it. */
  readonly #turns = new Semaphore(1, Infinity, patienceMs);
  #isOccupied = false;
  /** The end of a transaction on the connection that other work uses too. */
  #brief: Promise<void> | undefined;
  #endBrief: () => void = () => undefined;
  /** The connection of an earlier transaction apart: to open one takes longer than the transaction. */
  #idle: SqliteConnection | undefined;
  /** Whether a write has failed on a full disk, or a read-only file, since one last succeeded in a ping. */
  #refusesWrites = false;
  #closed: Promise<void> | undefined;

  constructor(
    private readonly connection: SqliteConnection,
    readonly ownFields?: KeptFields,
  ) {}

  async run<T>(task: () => SqlTask<T>, isAtomic = false): Promise<T> {
    while (this.#brief !== undefined) await this.#brief;
    if (this.#closed !== undefined) throw closed();
    const attempt = () => this.#attempt(task, isAtomic);
    try {
      // A transaction would only find the database busy, and halt this process meanwhile.
      if (!isAtomic || !this.#isOccupied) return attempt();
    } catch (error) {
      if (!isBusy(error)) this.#explain(error);
    }
    const waiting = this.#isOccupied ? this.#turns.run(() => onceFree(attempt)) : onceFree(attempt);
    return await this.#wait(waiting.catch(this.#explain));
  }

  #attempt<T>(task: () => SqlTask<T>, isAtomic: boolean): T {
    const connection = this.connection;
    if (!isAtomic) return connection.runThrough(task());
    return connection.inTransaction(() => connection.runThrough(task()));
  }

  runList<T>(task: () => SqlTask<T>): Promise<T> {
    return this.run(task);
  }

  runAtomically<T>(task: () => SqlTask<T>): Promise<T> {
    return this.run(task, true);
  }

  async transact<T>(
    isBrief: boolean | undefined,
    work: (transaction: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    if (this.#closed !== undefined) throw closed();
    const run = async (connection: SqliteConnection) => {
      this.#isOccupied = true;
      try {
        const outcome = await withStatements(
          'sqlite',
          {
            askForHook: (query) => connection.askForHook(query),
            run: (task) => connection.runThrough(task),
          },
          work,
        );
        connection.commit();
        return outcome;
      } finally {
        this.#isOccupied = false;
      }
    };
    const begin = isBrief ? () => this.#runBriefly(run) : () => this.#runApart(run);
    const outcome = new Promise<T>((resolve, reject) => {
      const attempt = async (): Promise<void> => {
        const begun = begin();
        begun.then(resolve, reject);
        // The caller undoes its own work before the next transaction begins, which may get the same ids.
        await begun.catch(() => nextTurn());
      };
      this.#turns.run(attempt).catch(reject);
    });
    return await this.#wait(outcome.catch(this.#explain));
  }

  /** Runs a transaction whose statements follow each other at once: other work of this process waits for its end. */
  async #runBriefly<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const connection = this.connection;
    await onceFree(() => {
      connection.begin();
      this.#brief = new Promise((resolve) => (this.#endBrief = resolve));
    });
    try {
      return await work(connection);
    } finally {
      try {
        connection.rollBack(); // undoes uncommitted work; harmless after a commit
      } finally {
        this.#brief = undefined;
        this.#endBrief();
      }
    }
  }

  /** Runs a transaction on a connection of its own: other work of this process between its statements must not join it. */
  async #runApart<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const { path, observer } = this.connection;
    const idle = this.#idle;
    this.#idle = undefined;
    const connection = idle ?? (await connect(path, observer));
    try {
      await onceFree(() => connection.begin());
      const outcome = await work(connection);
      if (!connection.isChanged) this.#idle ??= connection;
      return outcome;
    } finally {
      connection.rollBack(); // undoes uncommitted work; harmless after a commit
      if (this.#idle !== connection) connection.close(); // also after a failure
    }
  }

  async ping(): Promise<void> {
    await this.run(() => requireMigrations(findTable));
    if (!this.#refusesWrites) return;
    await this.runAtomically(requireRoom);
    this.#refusesWrites = false;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#waiting);
    try {
      this.#idle?.close();
      this.connection.checkpoint(); // so that a copy of the database file alone is complete
    } catch {
      // It may fail, on a full disk for instance; the rows are equally safe in the write-ahead log.
    } finally {
      this.connection.close();
    }
  }

  /** Rethrows an error; one of a full disk, or of a file that is read-only, is remembered, and becomes one of the core. */
  readonly #explain = (error: unknown): never => {
    const code = error instanceof SqliteError ? error.code : undefined;
    if (code !== 'SQLITE_FULL' && code !== 'SQLITE_READONLY') throw error;
    this.#refusesWrites = true;
    if (code === 'SQLITE_READONLY')
      throw new ServiceError('unavailable', 'The database accepts no writes now: try again later', {
        cause: error,
      });
    throw new ServiceError('storage-full', 'The disk of the database is full: try again later', {
      cause: error,
      retryAfterSeconds: 30,
    });
  };

  #wait<T>(outcome: Promise<T>): Promise<T> {
    const settled = outcome.finally(() => this.#waiting.delete(settled));
    this.#waiting.add(settled);
    return settled;
  }
}

function closed(): ServiceError {
  return new ServiceError('unavailable', 'The store is closed');
}

/**
 * Writes and removes a table, because reads work on a full disk, and a small write may fit when a larger one does not.
 *
 * @throws SqliteError `SQLITE_FULL` while there is no room
 */
function* requireRoom(): SqlTask<void> {
  yield { sql: 'create table concordat_room (filler blob)', parameters: [] };
  // As much as a large write needs, in bytes.
  yield { sql: 'insert into concordat_room values (zeroblob(65536))', parameters: [] };
  yield { sql: 'drop table concordat_room', parameters: [] };
}
