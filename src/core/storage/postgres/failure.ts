/** Classifies PostgreSQL's errors by SQLSTATE (PostgreSQL documentation, appendix A), and refuses tasks that would wait for a lock with too many others. */
import { ServiceError } from '../../model/error.js';

/** An error that PostgreSQL sent; every other error is one of the connection. */
interface PostgresError extends Error {
  readonly code: string;
  readonly severity: string;
  detail?: string;
}

export function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';
}

/** Errors that another writer causes; when the work is run again, it sees the other's changes. */
const lostRaces = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23503', // foreign_key_violation: the referenced row was deleted in the meantime
  '23505', // unique_violation: the key was taken in the meantime
]);

export function isLostRace(error: unknown): boolean {
  return isPostgresError(error) && lostRaces.has(error.code);
}

/** The database gave up in time, and did nothing. */
const timeouts = new Set([
  '55P03', // lock_not_available: lock_timeout
  '57014', // query_canceled: statement_timeout, or an operator
  '25P03', // idle_in_transaction_session_timeout
]);

/** Whether the database gave up on a task in time. @param error - as {@link explainFailure} returned it */
export function isTimeout(error: unknown): boolean {
  return error instanceof ServiceError && isPostgresError(error.cause) && timeouts.has(error.cause.code);
}

/** The server is shutting down, starting, a standby or out of resources. Two characters name a whole class of errors. */
const absences = /^(?:08|57P|53|25006)/;

/**
 * The failure of a query that commits what it wrote. Where the connection breaks or the server hangs, and where it crashes
 * (57P02, sent at any moment), the commit may have happened.
 *
 * @returns `outcome-unknown`, else as {@link explainFailure}
 */
export function explainFailedCommit(error: unknown): unknown {
  if (isPostgresError(error) && error.code !== '57P02') return explainFailure(error);
  const sentence = 'Whether this was stored is not known: read it before you try again';
  return new ServiceError('outcome-unknown', sentence, { cause: error });
}

/** @returns `unavailable` for a database that does not answer or is out of resources, else the error without row data */
export function explainFailure(error: unknown): unknown {
  if (isPostgresError(error) && !absences.test(error.code) && !timeouts.has(error.code)) {
    // The detail of a constraint violation contains the row, password hashes included, and errors are logged.
    delete error.detail;
    return error;
  }
  const detail = error instanceof Error ? error.message : String(error);
  return new ServiceError('unavailable', 'The database does not answer: try again later', {
    detail,
    cause: error,
  });
}

/** How many connections may wait at a time for what has kept others waiting; a pool has about ten. */
const maxWaiting = 3;

/**
 * A circuit breaker per kind of task. Once a task ran out of the database's time, for instance because its table is locked,
 * a few tasks of its kind may still try; the others are refused at once, so that tasks on other tables find a connection. The
 * first that is answered ends the probation of its kind.
 */
export class Probation {
  readonly #kinds = new Set<string>();
  #waiting = 0;

  /** @throws ServiceError `unavailable` when the task would have to wait with too many others */
  check(kind: string): void {
    if (this.#waiting < maxWaiting || !this.#kinds.has(kind)) return;
    throw new ServiceError('unavailable', 'The database does not answer: try again later', {
      detail: 'other tasks of this kind have waited too long for a lock',
    });
  }

  /**
   * Runs a task on its connection.
   *
   * @param kind - the text of the task's first query; there are a few hundred
   * @throws as {@link check}, and the error of the task
   */
  async run<T>(kind: string, task: () => Promise<T>): Promise<T> {
    this.check(kind);
    const isOnProbation = this.#kinds.has(kind);
    if (isOnProbation) this.#waiting += 1;
    try {
      const outcome = await task();
      this.#kinds.delete(kind);
      return outcome;
    } catch (error) {
      if (isTimeout(error)) this.#kinds.add(kind);
      throw error;
    } finally {
      if (isOnProbation) this.#waiting -= 1;
    }
  }
}
