/** The part of the storage port that keeps the audit log. */
import type { AuditEntry } from '../model/audit.js';
import type { Id } from '../model/id.js';
import type { AfterSlice } from '../model/page.js';
import type { Timestamp } from '../model/timestamp.js';

export type NewAuditEntry = Omit<AuditEntry, 'id'>;

/** Selects the entries with these values; undefined selects all. */
export interface AuditFilter {
  readonly actor: string | undefined;
  readonly action: string | undefined;
  readonly target: string | undefined;
  /** The earliest time. */
  readonly since: Timestamp | undefined;
}

/** Selects all entries. */
export const everyAuditEntry: AuditFilter = {
  actor: undefined,
  action: undefined,
  target: undefined,
  since: undefined,
};

/** Entries are never changed, and are deleted only when they expire. They outlive the records that they name. */
export interface AuditStore {
  add(entries: readonly NewAuditEntry[]): Promise<void>;

  /** Ascending by id. */
  list(filter: AuditFilter, slice: AfterSlice): Promise<readonly AuditEntry[]>;

  /** Descending by id, from the entry before an id, or from the newest. */
  listBefore(filter: AuditFilter, before: Id | undefined, limit: number): Promise<readonly AuditEntry[]>;

  /** Deletes entries that were written before this time, oldest first by id. @returns the number of deleted entries, at most `limit` */
  deleteExpired(before: Timestamp, limit: number): Promise<number>;
}
