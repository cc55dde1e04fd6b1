/** Conditional writes: what `If-Match` asks for, in the core's words. */
import { notFound, ServiceError } from '../model/error.js';

/** How a write depends on what is stored. */
export interface WriteCondition {
  /** Write only when the stored record has one of these versions; absent writes on any. */
  readonly ifVersion?: readonly number[] | undefined;
}

/**
 * Holds a record against a condition.
 *
 * @param what the record's name, for messages: `User`
 * @returns the version that the store is to compare with when it writes; undefined when any will do
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
