/** What the imports of all kinds of records share. */
import { invalidInput, ServiceError } from '../model/error.js';
import { parseTimestamp, type Timestamp } from '../model/timestamp.js';
import type { ImportRefusal } from '../ports/import-store.js';

/**
 * Checks what is brought and stores it. It remembers what it has checked, so that two records of one import are held
 * against each other too: one importer sees an import once.
 */
export interface Importer<Input, Checked, Ready> {
  /** @returns one entry an input, in their order: what may be stored, or why it may not */
  check(inputs: readonly Input[]): Promise<readonly (Checked | ServiceError)[]>;

  /**
   * Does what takes long, such as hashing passwords, before anybody has to wait for the storing.
   *
   * @returns one record each, in their order: JSON has all of it
   */
  prepare(checked: readonly Checked[]): Promise<readonly Ready[]>;

  /** Stores all in one step. @returns how many, or the first that cannot be stored any more: then none is */
  store(records: AsyncIterable<Ready>): Promise<number | ImportRefusal<string>>;
}

/** When a record was made and last changed, where that is known. */
export interface ImportedTimes {
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/**
 * @param now for a record that does not say when it was made
 * @throws ServiceError `invalid-input` for what is no time, and for a change before the making
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

/** @returns what the check gives, or the refusal that it throws */
export function orRefusal<T>(check: () => T): T | ServiceError {
  try {
    return check();
  } catch (error) {
    return asRefusal(error);
  }
}

/** @throws what says nothing about the record, such as a store that does not answer */
export function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.code !== 'unavailable') return error;
  throw error;
}
