/** Conditional writes: the core's form of `If-Match` (RFC 9110 §13.1.1). */
import { notFound, ServiceError } from '../../model/error.js';

/** A condition on the stored record for a write. */
export interface WriteCondition {
  /** Write only if the stored record has one of these versions; undefined for any version. */
  readonly ifVersion: readonly number[] | undefined;
}

/** Allows a write on any version. */
export const unconditional: WriteCondition = { ifVersion: undefined };

/**
 * Checks a record against a condition.
 *
 * @param what the record's name, for messages: `User`
 * @throws ServiceError `precondition-failed` when the record has none of the versions
 */
export function checkVersion(
  what: string,
  record: { readonly version: number },
  ifVersion: WriteCondition['ifVersion'],
): void {
  if (ifVersion?.includes(record.version) === false) throw stale(what);
}

/** The parts of a conditional write. */
interface ConditionalWrite<T> {
  /** The record's name, for messages: `User`. */
  readonly what: string;
  readonly condition: WriteCondition;
  /** Throws if the stored record does not allow the write; undefined if every record does. */
  readonly decide: ((record: T) => void) | undefined;
  readonly read: () => Promise<T | undefined>;
}

/**
 * Writes a record that meets the condition and that `decide` accepts. If the record changes before the write, a write on given
 * versions is refused; any other write starts again. The record is read only if there is something to check.
 *
 * @param write gets the version that the store must compare; undefined for any version
 * @throws ServiceError `not-found` and `precondition-failed`, and the errors of `decide`
 */
export async function writeWhile<T extends { readonly version: number }, Outcome>(
  { what, condition: { ifVersion }, decide, read }: ConditionalWrite<T>,
  write: (version: number | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  if (ifVersion === undefined && decide === undefined) return await write(undefined);
  for (;;) {
    const record = await read();
    if (record === undefined) throw notFound(what);
    decide?.(record);
    checkVersion(what, record, ifVersion);
    const outcome = await write(record.version);
    if (outcome !== 'stale' || ifVersion !== undefined) return outcome;
  }
}

/** The error for a record that has changed since the caller read it. */
export function stale(what: string): ServiceError {
  return new ServiceError('precondition-failed', `${what} has changed since it was read: read it again`);
}
