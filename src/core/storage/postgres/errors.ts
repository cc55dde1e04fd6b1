/** Classifies PostgreSQL's errors by SQLSTATE (its documentation, appendix A), and refuses tasks of which too many wait for a lock. */
import { type ServerAddress, ServiceError, withAddress } from '../../model/error.js';

/** An error that PostgreSQL sent; every other error is one of the connection. */
interface PostgresError extends Error {
  readonly code: string;
  readonly severity: string;
  detail?: string;
}

export function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';
}

const deadlock = '40P01';

export function isDeadlock(error: unknown): boolean {
  return isPostgresError(error) && error.code === deadlock;
}

/** Errors that another writer causes; when the work is run again, it sees the other's changes. */
const lostRaces = new Set([
  '40001', // serialization_failure
  deadlock,
  '23503', // foreign_key_violation: the referenced row was deleted in the meantime
  '23505', // unique_violation: the key was taken in the meantime
]);

/**
 * Whether an error is due to what a connection has kept from earlier: the defaults of its session, the server that it was opened to, or
 * prepared statements. A new connection may not have it.
 */
export function isOfConnection(error: PostgresError & { readonly routine?: string }): boolean {
  const isChangedResult = error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
  return error.code === readOnly || error.code === '26000' || isChangedResult;
}

/** The failures on connections that were used before. Nothing was written: the work can be run again, on another connection. */
const outdated = new WeakSet<object>();

export function isOutdated(failure: unknown): boolean {
  return typeof failure === 'object' && failure !== null && outdated.has(failure);
}

export function markOutdated(failure: unknown): void {
  if (failure instanceof Error) outdated.add(failure);
}

/** The violations of constraints by statements from hooks, which no other writer need have caused. */
const violations = new WeakSet<object>();

/** The failure of a statement from a hook. @returns as {@link explainFailure} */
export function explainForHook(error: unknown, server?: ServerAddress): unknown {
  if (isPostgresError(error) && error.code.startsWith('23')) violations.add(error);
  return explainFailure(error, server);
}

export function isLostRace(error: unknown): boolean {
  return isPostgresError(error) && lostRaces.has(error.code) && !violations.has(error);
}

/** Errors of a database that gave up in time and did nothing. */
const timeouts = new Set([
  '55P03', // lock_not_available: lock_timeout
  '57014', // query_canceled: statement_timeout, or an operator
  '25P03', // idle_in_transaction_session_timeout
]);

/** Whether the database gave up on a task in time. @param error - a result of {@link explainFailure} */
function isTimeout(error: unknown): boolean {
  return error instanceof ServiceError && isPostgresError(error.cause) && timeouts.has(error.cause.code);
}

/** The codes of a server that is shutting down, starting, a standby or out of resources. Two characters match a whole class. */
const absences = /^(?:08|57P|53|25006)/;

/**
 * The failure of a query that commits its writes. If the connection breaks, or the server hangs or crashes (57P02, sent at any
 * moment), the commit may have happened.
 *
 * @returns `outcome-unknown`, else as {@link explainFailure}
 */
export function explainFailedCommit(error: unknown, server?: ServerAddress): unknown {
  if (isPostgresError(error) && error.code !== '57P02') return explainFailure(error, server);
  const sentence = 'Whether this was stored is not known: read it before you try again';
  return new ServiceError('outcome-unknown', sentence, { cause: withAddress(error, server) });
}

/** The code of a write on a standby, or on a database that is set to read only. */
const readOnly = '25006';

/** The error of a database that would refuse a write, without a write. */
export function readOnlyError(): PostgresError {
  return Object.assign(new Error('transaction_read_only is on'), { code: readOnly, severity: 'ERROR' });
}

/** @returns `unavailable` for a database that does not answer or is out of resources, else the error without row data */
export function explainFailure(error: unknown, server?: ServerAddress): unknown {
  withAddress(error, server);
  if (isPostgresError(error) && !absences.test(error.code) && !timeouts.has(error.code)) {
    // The detail of a constraint violation contains the row, password hashes included, and errors are logged.
    delete error.detail;
    return error;
  }
  const detail = error instanceof Error ? error.message : String(error);
  const isReadOnly = isPostgresError(error) && error.code === readOnly;
  const fault = isReadOnly ? 'accepts no writes now' : 'does not answer';
  return new ServiceError('unavailable', `The database ${fault}: try again later`, { detail, cause: error });
}

/** The maximum number of connections that tasks on probation may hold; a pool has about ten. */
const maxWaiting = 3;

/**
 * A circuit breaker per kind of task. When a task has reached the database's deadline, for example because its table is locked, its
 * kind is on probation: only a few such tasks may run at once, and the others are refused, so that tasks on other tables find a
 * connection. The first success ends the probation of its kind.
 */
export class Probation {
  readonly #kinds = new Set<string>();
  #waiting = 0;

  /** @throws ServiceError `unavailable` if the kind is on probation and too many such tasks are running */
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
