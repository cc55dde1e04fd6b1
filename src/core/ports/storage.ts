/** The storage port: everything that the core needs from a database. */
import type { AuditStore } from './audit-store.js';
import type { ApiKeyStore, RefreshTokenStore } from './credential-store.js';
import type { IdempotencyStore } from './idempotency-store.js';
import type { CommentStore, OrderStore } from './order-store.js';
import type { OutboxStore } from './outbox.js';
import type { PostStore } from './post-store.js';
import type { KeepsFields } from '../model/stored.js';
import type { ProductStore } from './product-store.js';
import type { StoreTransaction } from './transaction.js';
import type { ExternalIdentityStore, UserStore } from './user-store.js';

/**
 * The stores of one database. These rules hold for every store:
 *
 * - A store assigns ids: canonical (`parseId`), growing with every record it creates, and never used twice, not even after a
 *   deletion. No record is found for any other text, of any length.
 * - "In one step" means atomic: other callers, in any process, see all of it or nothing.
 * - A refusal that the caller can act on is returned as a word (`not-found`, `stale`). A promise rejects only when the database
 *   fails, with a `ServiceError` of code `unavailable` if it does not answer and did nothing, and `outcome-unknown` if it may have
 *   done the work.
 * - An acknowledged write is as durable as the database makes any write.
 * - Records are values: a change that a caller makes to a record does not reach the store, and a record does not change after
 *   it was returned. Texts are returned exactly as stored.
 * - The cascades of a store are the deletions that another store causes in it, or it in another. They are part of the step that causes
 *   them. A storage that has only one of the two stores has no such cascade: its application deletes the records.
 * - A storage whose `stored` names fields of the application keeps the `stored` of records: JSON values, of any names. In each write,
 *   an undefined value removes that of the record, and values that are not given stay. A change may give them by a function of the
 *   values before, which is called in the step of the write; if it returns undefined, the outcome is `invalid`, and nothing changes.
 * - Stores have no clock: the time is a parameter. A record's `version` starts at 1 and grows by 1 with each write.
 *
 * `storageChecks` of `@concordat/core/conformance` checks all of this, and `storageChecksOf` a part of the stores.
 */
export interface Stores {
  readonly users: UserStore;
  readonly externalIdentities: ExternalIdentityStore;
  readonly posts: PostStore;
  readonly orders: OrderStore;
  readonly products: ProductStore;
  readonly comments: CommentStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly apiKeys: ApiKeyStore;
  readonly idempotency: IdempotencyStore;
  readonly audit: AuditStore;
  readonly outbox: OutboxStore;
  readonly transaction: RunTransaction;
}

/** All stores, in a transaction. Its own `transaction` runs work in this one. */
export interface Transaction extends Stores, StoreTransaction, KeepsFields {}

/**
 * Runs work in a transaction: all that it writes through the stores of the transaction is stored when it has ended, or nothing if it
 * fails. Its own calls see what it has written, others do not. Work that lost a race is run again, so it must have no other effects.
 *
 * Other writers may wait until the work has ended. If they do, the caller learns of a failure before the next of them begins. A call that
 * begins afterwards is refused.
 *
 * @param isBrief - whether the work awaits only the calls of its own stores, so that others may wait for its end
 * @throws the error of the work, or of a call that failed in it, even if the work has caught that
 */
export type RunTransaction = <T>(
  work: (transaction: Transaction) => Promise<T>,
  isBrief?: boolean,
) => Promise<T>;

/** The state of a pool of connections. */
export interface PoolState {
  readonly size: number;
  readonly idle: number;
  /** The maximum size. */
  readonly max: number;
  /** The tasks that wait for a connection. */
  readonly waiting: number;
}

/** Observes the calls, the connections and the statements of a database, for metrics. Its functions must not throw. */
export interface DatabaseObserver {
  /** Runs each call of a store, and returns its outcome. @param name - the store and its method, such as `users.find` */
  readonly call?: <Outcome>(name: string, run: () => Promise<Outcome>) => Promise<Outcome>;
  /** Called once, with a function that reads the state of the pool. A store without a pool does not call it. */
  readonly pool?: (state: () => PoolState) => void;
  /** Called when a task has waited for a connection of the pool. @param failed - whether it got none */
  readonly waited?: (milliseconds: number, failed: boolean) => void;
  /** Called after each statement. @param sql - its text, which has no values */
  readonly statement?: (sql: string, milliseconds: number) => void;
}

/** The whole storage, which the service opens and closes. Other servers may provide only {@link Stores}, or a part of them. */
export interface Storage extends Stores, KeepsFields {
  /**
   * The stores that take part in transactions, by their names. One that a team puts in the place of another takes part by being a
   * `JoiningStore`.
   */
  readonly joined: Readonly<Record<string, unknown>>;

  /** The SQL of the statements in its transactions; undefined for a storage without a database. */
  readonly sql?: StoreTransaction['database'];

  /**
   * Resolves when the database answers, has the tables of this version and, as far as is known, accepts writes. Rejects with
   * a `ServiceError` that names the fault otherwise, also after `close`. It must not wait until other work is done.
   */
  ping(): Promise<void>;

  /** Closes connections and files once pending calls are done. It may be called twice. */
  close(): Promise<void>;
}
