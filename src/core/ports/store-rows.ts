/** The rows of a storage in a database: for copies of the whole store, for what one user had, and for imports of records. */
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

/** The first record that cannot be stored, counted from 0. */
export interface RowRefusal {
  readonly position: number;
  readonly reason: 'exists' | 'not-empty' | 'post-order' | 'unknown-table';
}

export interface StoreRows {
  /**
   * Reads all rows that `write` needs, in its order, and page by page. There should be no other writer meanwhile.
   *
   * @param userId - only the user, their identities, API keys, posts and comments
   */
  read(userId?: Id): AsyncIterable<TableRow>;

  /**
   * Reads a stream of rows and stores them in one step: all of them, or none if one is refused, if the reading fails (it then rejects
   * with that error) or if the database fails. Only the database limits their number. Ids that are given, and ids of records that the
   * other store has deleted, are never assigned here; the next ids are assigned in the order of the rows.
   *
   * Other writers may have to wait in the meantime, or get `unavailable`.
   *
   * @param rows - their authors and users must exist; comments whose order does not are left out. Those of a whole store need an empty one
   * @param entryOf - makes the entry of the audit log, which is stored in the same step, from the number of rows without their parts
   * @param published - a user of the rows whose creation is published as an event, in the same step
   * @returns that number, or the first that could not be stored
   * @throws ServiceError `conflict` after a lost race, because a stream cannot be read again
   */
  write(
    rows: AsyncIterable<TableRow>,
    entryOf?: (count: number) => NewAuditEntry,
    published?: () => Id | undefined,
  ): Promise<number | RowRefusal>;
}

/** A storage in a database. */
export interface SqlStorage extends Storage {
  readonly rows: StoreRows;
}
