/** Conditional writes: what `If-Match` asks for, in the core's words. */
import { notFound, ServiceError } from '../model/error.js';

/** How a write depends on what is stored. */
export interface WriteCondition {
  /** Write only when the stored record has one of these versions; absent writes on any. */
  readonly ifVersion?: readonly number[] | undefined;
}

/**
 * Turns a condition into the one version that the store is to compare with.
 *
 * @param what the record's name, for messages: `User`
 * @param read finds the record; called only when there is a condition
 * @returns undefined when any version will do
 * @throws ServiceError `not-found`, or `precondition-failed` when the record has another version
 */
export async function expectedVersion(
  what: string,
  { ifVersion }: WriteCondition,
  read: () => Promise<{ readonly version: number } | undefined>,
): Promise<number | undefined> {
  if (ifVersion === undefined) return undefined;
  const record = await read();
  if (record === undefined) throw notFound(what);
  if (!ifVersion.includes(record.version)) throw stale(what);
  return record.version;
}

/** The error for a record that has changed since the caller read it. */
export function stale(what: string): ServiceError {
  return new ServiceError('precondition-failed', `${what} has changed since it was read: read it again`);
}
