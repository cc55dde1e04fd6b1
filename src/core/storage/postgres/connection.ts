/** One connection of the caller's pool, for the duration of a task. */
import type { Query } from '../sql/query/query.js';
import { explainFailedCommit, explainFailure, isPostgresError } from './failure.js';

export class PostgresConnection {
  readonly #client: PostgresClient;
  readonly #patienceMs: number;
  #failure: Error | undefined;

  private constructor(client: PostgresClient, patienceMs: number) {
    this.#client = client;
    this.#patienceMs = patienceMs;
    // A running query fails too when the connection breaks, but an `error` event without a listener would end the process.
    client.on('error', this.#note);
  }

  /**
   * @param patienceMs - the maximum wait for each answer, because the server may hang; 0 waits for ever
   * @throws ServiceError `unavailable`
   */
  static async open(pool: PostgresPool, patienceMs: number): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await pool.connect(), patienceMs);
    } catch (error) {
      throw explainFailure(error);
    }
  }

  /**
   * @param commits - whether the query is its own transaction, or ends one
   * @throws PostgreSQL's error; ServiceError `unavailable` when it did not answer, `outcome-unknown` when it may have written
   */
  async ask({ sql, parameters, name }: Query, commits = false): Promise<readonly unknown[]> {
    const query = {
      text: sql,
      values: [...parameters],
      query_timeout: this.#patienceMs,
      ...(name !== undefined && { name }),
    };
    try {
      return (await this.#client.query(query)).rows;
    } catch (error) {
      // The server closes the connection after a FATAL error.
      if (!isPostgresError(error) || error.severity === 'FATAL') this.#note(error as Error);
      throw commits && !isRead(sql) ? explainFailedCommit(error) : explainFailure(error);
    }
  }

  /** Returns the connection to the pool, which discards it if it is broken. */
  release(): void {
    this.#client.removeListener('error', this.#note);
    this.#client.release(this.#failure);
  }

  readonly #note = (error: Error): void => {
    this.#failure ??= error;
  };
}

/** Every query of the stores that does not begin with `select` writes. */
function isRead(sql: string): boolean {
  return sql.startsWith('select');
}

export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  /** Prepares the query once per connection, under this name. */
  readonly name?: string;
  /** Milliseconds after which the client gives up on the query; 0 for never. */
  readonly query_timeout?: number;
}

export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** @param error - when given, the connection is closed instead of being used again */
  release(error?: Error): void;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/**
 * The deadlines of the database, in milliseconds, as options of a `pg` pool. With them, the database gives up on a statement before
 * the storage does, after 30 seconds: a statement that failed with `unavailable` was not executed, and no connection keeps waiting
 * for a lock.
 */
export const databaseDeadlines = {
  /** No task here holds a lock for long, and a task that waits holds a connection that others need. */
  lock_timeout: 2_000,
  statement_timeout: 20_000,
  /** A process that stops in the middle of a transaction loses it and its locks. */
  idle_in_transaction_session_timeout: 10_000,
} as const;
