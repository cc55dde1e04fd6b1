/** What a failure of PostgreSQL means, by its SQLSTATE (PostgreSQL documentation, appendix A). */
import { ServiceError } from '../../model/error.js';

/** What PostgreSQL itself said; every other failure is one of the connection. */
interface PostgresError extends Error {
  readonly code: string;
  readonly severity: string;
  detail?: string;
}

export function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';
}

/** What another writer brings about: run again, the work finds what that one did. */
const lostRaces = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23503', // foreign_key_violation: the row that is referred to was deleted meanwhile
  '23505', // unique_violation: the key was taken meanwhile
]);

export function isLostRace(error: unknown): boolean {
  return isPostgresError(error) && lostRaces.has(error.code);
}

/** A server that goes down, comes up, stands by or has no connection left, whole classes by their first two characters. */
const absences = /^(?:08|57P|53|25006)/;

/** @returns `unavailable` for a database that does not answer or has no room, else the failure without what is in its rows */
export function explainFailure(error: unknown): unknown {
  if (isPostgresError(error) && !absences.test(error.code)) {
    // The detail of a broken constraint repeats the row, hashes of passwords included, and failures go into the log.
    delete error.detail;
    return error;
  }
  const detail = error instanceof Error ? error.message : String(error);
  return new ServiceError('unavailable', 'The database does not answer: try again later', {
    detail,
    cause: error,
  });
}
