/** Classifies PostgreSQL's errors by SQLSTATE (PostgreSQL documentation, appendix A). */
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
