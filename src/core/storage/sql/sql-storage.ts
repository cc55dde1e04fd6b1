/** What a storage in a database has beside its ports, without the types of the query builder, which the package does not show. */

import type { Id } from '../../model/id.js';
import type { ImportEntry, ImportRefusal, ImportStore } from '../../ports/import-store.js';
import type { Storage } from '../../ports/storage.js';

/** A row as its table has it: its columns with their values, as JSON. */
export interface TableRow {
  readonly table: string;
  readonly row: Readonly<Record<string, string | number | null | undefined>>;
  /** The position of the record that it is a part of, for a refusal; that of the row unless given. */
  readonly position?: number;
}

export interface StoreRows {
  /**
   * Reads all rows that `write` needs, in its order, and page by page. There should be no other writer meanwhile.
   *
   * @param userId - only the user, their identities, API keys, posts and comments
   */
  read(userId?: Id): AsyncIterable<TableRow>;

  /**
   * Stores rows with the ids and times that they have, in one step. Ids that they have, and ids of records that the other store has
   * deleted, are never assigned here. Posts without an id, and comments, get the next ones.
   *
   * @param rows - their authors and users must exist; comments whose order does not are left out. Those of a whole store need an empty one
   * @returns the number stored, or the first that could not be stored
   * @throws ServiceError `conflict` after a lost race
   */
  write(
    rows: AsyncIterable<TableRow>,
    entryOf?: ImportEntry,
  ): Promise<number | ImportRefusal<'exists' | 'not-empty' | 'post-order' | 'unknown-table'>>;
}

/** A storage in a database. */
export interface SqlStorage extends Storage {
  readonly rows: StoreRows;
  /** Imports that keep the ids that the records have. */
  readonly keptImports: ImportStore;
}
