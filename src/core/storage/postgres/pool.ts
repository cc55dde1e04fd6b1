/** The part of a `pg` pool that the storage uses, so that callers can pass their own pool or a compatible one, and its deadlines. */

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
 * The deadlines of the database, in milliseconds, as options of a `pg` pool. With them the database gives up on a statement
 * before the storage does, after 30 seconds: what failed with `unavailable` was not done, and no connection is left behind
 * that waits for a lock.
 */
export const databaseDeadlines = {
  /** Nothing here holds a lock for long; who waits holds a connection that others need. */
  lock_timeout: 2_000,
  statement_timeout: 20_000,
  /** A process that was stopped in the middle of a transaction loses it, with its locks. */
  idle_in_transaction_session_timeout: 10_000,
} as const;
