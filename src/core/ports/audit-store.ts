/** The part of the storage port that keeps the audit log. */
import type { AuditEntry } from '../model/audit.js';
import type { Id } from '../model/id.js';
import type { AfterSlice } from '../model/page.js';
import type { Timestamp } from '../model/timestamp.js';
import type { ApiKeyStore, RefreshTokenStore } from './credential-store.js';
import type { IdempotencyStore } from './idempotency-store.js';
import type { OrderStore } from './order-store.js';
import type { ProductStore } from './product-store.js';
import type { UserStore } from './user-store.js';

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

/** The writes of other stores that are recorded in the same step. */
export interface AuditedWrites {
  readonly 'users.create': UserStore['create'];
  readonly 'users.update': UserStore['update'];
  readonly 'users.delete': UserStore['delete'];
  readonly 'idempotency.createUser': IdempotencyStore['createUser'];
  readonly 'refreshTokens.create': RefreshTokenStore['create'];
  readonly 'apiKeys.create': ApiKeyStore['create'];
  readonly 'apiKeys.deactivate': ApiKeyStore['deactivate'];
  readonly 'apiKeys.deactivateAllOf': ApiKeyStore['deactivateAllOf'];
  readonly 'orders.delete': OrderStore['delete'];
  readonly 'products.delete': ProductStore['delete'];
}

export type AuditedWrite = keyof AuditedWrites;
export type AuditedOutcome<Name extends AuditedWrite> = Awaited<ReturnType<AuditedWrites[Name]>>;

/** Entries are never changed, and are deleted only when they expire. They outlive the records that they name. */
export interface AuditStore {
  /**
   * The stores whose writes {@link write} runs, by their names. A storage that has another store in the place of one of them records
   * its writes in a step of their own.
   */
  readonly stores: Readonly<Record<string, unknown>>;

  add(entries: readonly NewAuditEntry[]): Promise<void>;

  /**
   * Runs a write of another store, with the arguments of its method, and stores the entries of its outcome in the same step.
   *
   * @param entriesOf - has no side effects, because a write that lost a race is run again
   */
  write<Name extends AuditedWrite>(
    name: Name,
    given: Parameters<AuditedWrites[Name]>,
    entriesOf: (outcome: AuditedOutcome<Name>) => readonly NewAuditEntry[],
  ): Promise<AuditedOutcome<Name>>;

  /** Ascending by id. */
  list(filter: AuditFilter, slice: AfterSlice): Promise<readonly AuditEntry[]>;

  /** Descending by id, from the entry before an id, or from the newest. */
  listBefore(filter: AuditFilter, before: Id | undefined, limit: number): Promise<readonly AuditEntry[]>;

  /**
   * Deletes entries that were written before this time, oldest first by id.
   *
   * @returns the number of deleted entries, at most `limit`
   */
  deleteExpired(before: Timestamp, limit: number): Promise<number>;
}
