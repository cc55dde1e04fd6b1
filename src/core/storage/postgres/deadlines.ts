/** How long PostgreSQL itself tries, on the connections of a pool. */

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
