/** The rows of a storage in a database: for copies of the whole store, for what one user had, and for rows from elsewhere. */
import type { Id } from '../model/id.js';
import type { NewAuditEntry } from './audit-store.js';
import type { Storage } from './storage.js';

export type Row = Readonly<Record<string, string | number | null | undefined>>;

/** A row as its table has it, as JSON: by the names of its columns, or of the fields of its record (`createdAt` for `created_at`). */
export interface TableRow {
  readonly table: string;
  /** Without an `id`, it gets the next one of its table. */
  readonly row: Row;
  /** The rows of another table that are part of the same record, without the id of the record: items of an order. */
  readonly parts?: { readonly table: string; readonly rows: readonly Row[] };
}

/** The first record that cannot be stored. */
export interface RowRefusal {
  /** Counted from 0. */
  readonly position: number;
  readonly reason: 'exists' | 'not-empty' | 'post-order' | 'unknown-table';
  /** The number of records before it that are stored, in earlier parts. */
  readonly written: number;
}

/** Makes the entry of the audit log for the records from one number to another, counted from 1. */
export type RowsEntry = (from: number, to: number) => NewAuditEntry;

export interface StoreRows {
  /**
   * Reads all rows that `write` needs, in its order, and page by page. There should be no other writer meanwhile.
   *
   * @param userId - only the user, their identities, API keys, posts and comments
   */
  read(userId?: Id): AsyncIterable<TableRow>;

  /**
   * Reads a stream of rows and stores them in parts: each part with its entry of the audit log, or not at all. A part has at most 500
   * records, and ends after 50 milliseconds; others write between the parts. If a row is refused, the reading fails (it then rejects with
   * that error) or the database fails, the parts before it stay. Ids that are given, and ids of records that the other store has
   * deleted, are never assigned here; the next ids are assigned in the order of the rows.
   *
   * @param rows - their authors and users must exist; comments whose order does not are left out. Those of a whole store need an empty one
   * @param entryOf - makes the entry of each part; numbers count records, without their parts
   * @param published - a user of the rows whose creation is published as an event, in the part with the user
   * @returns the number of records, or the first that could not be stored
   */
  write(rows: AsyncIterable<TableRow>, entryOf?: RowsEntry, published?: Id): Promise<number | RowRefusal>;
}

/** A storage in a database. */
export interface SqlStorage extends Storage {
  readonly rows: StoreRows;
}
