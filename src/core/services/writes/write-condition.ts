/** Conditional writes: the core's form of `If-Match` and `If-None-Match` (RFC 9110 §13.1.1, §13.1.2). */
import { notFound, ServiceError } from '../../model/error.js';

/** A condition on the stored record for a write. */
export interface WriteCondition {
  /** Write only if the stored record has one of these versions; undefined for any version. */
  readonly ifVersion: readonly number[] | undefined;
  /** Write only if the stored record has none of these versions; with `any`, no record that exists is written. */
  readonly unlessVersion?: readonly number[] | 'any';
}

/** Allows a write on any version. */
export const unconditional: WriteCondition = { ifVersion: undefined };

/** The parts of a conditional write. */
interface ConditionalWrite<T> {
  /** The record's name, for messages: `User`. */
  readonly what: string;
  readonly condition: WriteCondition;
  /** Throws if the stored record does not allow the write; undefined if every record does. */
  readonly decide: ((record: T) => void) | undefined;
  readonly read: () => Promise<T | undefined>;
  /** Whether the write needs the record in any case. */
  readonly isNeeded?: boolean;
}

/**
 * Writes a record that meets the condition and that `decide` accepts. If the record changes before the write, a write on given
 * versions is refused; any other write starts again. The record is read only if there is something to check.
 *
 * @param write gets the record that was read, whose version the store must compare; undefined for any version
 * @throws ServiceError `not-found` and `precondition-failed`, and the errors of `decide`
 */
export async function writeWhile<T extends { readonly version: number }, Outcome>(
  { what, condition: { ifVersion, unlessVersion }, decide, read, isNeeded = false }: ConditionalWrite<T>,
  write: (record: T | undefined) => Promise<Outcome | 'not-found' | 'stale'>,
): Promise<Outcome> {
  const isChecked = isNeeded || (ifVersion ?? unlessVersion ?? decide) !== undefined;
  for (;;) {
    const record = isChecked ? await read() : undefined;
    if (record !== undefined) {
      decide?.(record);
      if (ifVersion?.includes(record.version) === false) throw stale(what);
      if (unlessVersion === 'any' || unlessVersion?.includes(record.version) === true) throw excluded(what);
    } else if (isChecked) throw notFound(what);
    const outcome = await write(record);
    if (outcome === 'not-found') throw notFound(what);
    if (outcome !== 'stale') return outcome;
    if (ifVersion !== undefined) throw stale(what);
  }
}

function stale(what: string): ServiceError {
  return new ServiceError('precondition-failed', `${what} has changed since it was read: read it again`);
}

function excluded(what: string): ServiceError {
  const message = `${what} exists in a version that the request excludes: send it without this condition`;
  return new ServiceError('precondition-failed', message);
}
