/** The interface and helpers that the imports of all kinds of records share. */
import { type ErrorCode, invalidInput, ServiceError } from '../../model/error.js';
import { type Id, parseId } from '../../model/id.js';
import type { StoredValues } from '../../model/stored.js';
import { parseTimestamp, type Timestamp } from '../../model/timestamp.js';
import type { TableRow } from '../../ports/store-rows.js';

/**
 * Checks records, and makes the rows that `StoreRows.write` stores. It remembers the records that it has checked, so that duplicates
 * within one import are found too; make a new importer for each pass over an import.
 */
export interface Importer<Input> {
  /** @returns one entry per input, in the same order: the rows of the record, or the error that refuses it */
  check(inputs: readonly Input[]): Promise<readonly (TableRow | ServiceError)[]>;

  /**
   * Does slow work, such as hashing passwords, before the transaction that stores the rows.
   *
   * @returns one entry per entry, in the same order; they can be written as JSON without loss
   */
  prepare?(checked: readonly TableRow[]): Promise<readonly TableRow[]>;
}

/** When a record was created and last changed, if known. */
export interface ImportedTimes {
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
}

/**
 * @param now - the creation time of a record without one
 * @throws ServiceError `invalid-input` for a text that is not a timestamp, and for a change before the creation
 */
export function timesOf(
  { createdAt, updatedAt }: ImportedTimes,
  now: Timestamp,
): { readonly createdAt: Timestamp; readonly updatedAt: Timestamp } {
  const made = createdAt === undefined ? now : parseTimestamp('createdAt', createdAt);
  const changed = updatedAt === undefined ? made : parseTimestamp('updatedAt', updatedAt);
  if (changed < made) throw invalidInput('updatedAt', 'must not be before createdAt');
  return { createdAt: made, updatedAt: changed };
}

/** @throws ServiceError `invalid-input` for a text that is no id */
export function requireId(place: string, text: string): Id {
  if (parseId(text) === undefined) throw invalidInput(place, 'must be an id');
  return text;
}

/** The id that a record keeps, if any. */
export function keptId({ id }: { readonly id?: Id | undefined }): { readonly id?: Id } {
  return id === undefined ? {} : { id };
}

/** The fields of a record as those of its row, which has the application's own fields as a text. */
export function rowFields<T extends { readonly stored?: StoredValues | undefined }>({
  stored,
  ...fields
}: T) {
  return stored === undefined ? fields : { ...fields, stored: JSON.stringify(stored) };
}

/** @returns the result of the check, or the refusal that it throws */
export function orRefusal<T>(check: () => T): T | ServiceError {
  try {
    return check();
  } catch (error) {
    return asRefusal(error);
  }
}

const outages: ReadonlySet<ErrorCode> = new Set(['unavailable', 'outcome-unknown', 'storage-full']);

/** @throws the error itself if it does not concern the record, for example if the store does not answer */
export function asRefusal(error: unknown): ServiceError {
  if (!(error instanceof ServiceError) || outages.has(error.code)) throw error;
  return error;
}
