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

/** The stores with writes that may be recorded in the same step, and these writes. */
export interface AuditedStores {
  readonly users: Pick<UserStore, 'create' | 'update' | 'delete'>;
  readonly idempotency: Pick<IdempotencyStore, 'createUser'>;
  readonly refreshTokens: Pick<RefreshTokenStore, 'create'>;
  readonly apiKeys: Pick<ApiKeyStore, 'create' | 'deactivate' | 'deactivateAllOf'>;
  readonly orders: Pick<OrderStore, 'delete'>;
  readonly products: Pick<ProductStore, 'delete'>;
}

export type AuditedStore = keyof AuditedStores;
export type AuditedMethod<Store extends AuditedStore> = keyof AuditedStores[Store];

export type AuditedGiven<
  Store extends AuditedStore,
  Method extends AuditedMethod<Store>,
> = AuditedStores[Store][Method] extends (...given: infer Given) => unknown ? Given : never;

export type AuditedOutcome<
  Store extends AuditedStore,
  Method extends AuditedMethod<Store>,
> = AuditedStores[Store][Method] extends (...given: never) => Promise<infer Outcome> ? Outcome : never;

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
  write<Store extends AuditedStore, Method extends AuditedMethod<Store>>(
    store: Store,
    method: Method,
    given: AuditedGiven<Store, Method>,
    entriesOf: (outcome: AuditedOutcome<Store, Method>) => readonly NewAuditEntry[],
  ): Promise<AuditedOutcome<Store, Method>>;

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
