/** Conditional writes: the core's form of `If-Match` (RFC 9110 §13.1.1). */
import { notFound, ServiceError } from '../model/error.js';

/** A condition on the stored record for a write. */
export interface WriteCondition {
  /** Write only if the stored record has one of these versions; without it, any version will do. */
  readonly ifVersion: readonly number[] | undefined;
}

/** Writes on any version. */
export const unconditional: WriteCondition = { ifVersion: undefined };

/**
 * Checks a record against a condition.
 *
 * @param what - the name of the record, for messages: `User`
 * @returns the version that the store must still find when it writes; undefined for any
 * @throws ServiceError `precondition-failed` when the record has none of the versions
 */
export function checkVersion(
  what: string,
  record: { readonly version: number },
  ifVersion: WriteCondition['ifVersion'],
): number | undefined {
  if (ifVersion === undefined) return undefined;
  if (!ifVersion.includes(record.version)) throw stale(what);
  return record.version;
}

/**
 * {@link checkVersion} on a record that is read only when there is a condition.
 *
 * @throws ServiceError `not-found` when there is a condition and no record
 */
export async function expectedVersion(
  what: string,
  { ifVersion }: WriteCondition,
  read: () => Promise<{ readonly version: number } | undefined>,
): Promise<number | undefined> {
  if (ifVersion === undefined) return undefined;
  const record = await read();
  if (record === undefined) throw notFound(what);
  return checkVersion(what, record, ifVersion);
}

/** The error for a record that has changed since the caller read it. */
export function stale(what: string): ServiceError {
  return new ServiceError('precondition-failed', `${what} has changed since it was read: read it again`);
}
