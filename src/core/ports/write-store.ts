/** The part of the storage port that runs a write of another store together with all that belongs to the write. */
import type { OutboxEvent } from '../model/webhook.js';
import type { NewAuditEntry } from './audit-store.js';
import type { ApiKeyStore, RefreshTokenStore } from './credential-store.js';
import type { IdempotencyStore } from './idempotency-store.js';
import type { CommentStore, OrderStore } from './order-store.js';
import type { OutboxStore } from './outbox.js';
import type { PostStore } from './post-store.js';
import type { ProductStore } from './product-store.js';
import type { ExternalIdentityStore, UserStore } from './user-store.js';

/** The stores and their methods that {@link WriteStore.write} runs. */
export interface WrittenStores {
  readonly users: Pick<UserStore, 'create' | 'update' | 'delete'>;
  readonly externalIdentities: Pick<ExternalIdentityStore, 'findOrCreateUser'>;
  readonly posts: Pick<PostStore, 'create'>;
  readonly orders: Pick<OrderStore, 'create' | 'update' | 'delete'>;
  readonly products: Pick<ProductStore, 'create' | 'replace' | 'delete' | 'setCategories'>;
  readonly comments: Pick<CommentStore, 'create'>;
  readonly apiKeys: Pick<ApiKeyStore, 'create' | 'deactivate' | 'deactivateAllOf'>;
  readonly refreshTokens: Pick<RefreshTokenStore, 'create'>;
  readonly outbox: Pick<OutboxStore, 'create'>;
  readonly idempotency: Pick<
    IdempotencyStore,
    'createUser' | 'createOrder' | 'createProduct' | 'createComment' | 'createApiKey' | 'createWebhook'
  >;
}

export type WrittenStore = keyof WrittenStores;
export type WrittenMethod<Store extends WrittenStore> = keyof WrittenStores[Store];

export type WriteGiven<
  Store extends WrittenStore,
  Method extends WrittenMethod<Store>,
> = WrittenStores[Store][Method] extends (...given: infer Given extends readonly unknown[]) => unknown
  ? Given
  : never;

export type WriteOutcome<
  Store extends WrittenStore,
  Method extends WrittenMethod<Store>,
> = WrittenStores[Store][Method] extends (...given: never) => Promise<infer Outcome> ? Outcome : never;

/** The rows that are stored in the step of a write. */
export interface WriteAdditions {
  readonly entries: readonly NewAuditEntry[];
  /** Stored once for each receiver that wants it. */
  readonly event?: OutboxEvent | undefined;
}

/** The rows of a statement, or how many it wrote. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly written: number;
}

/** The transaction of a write, for statements of others. */
export interface StoreTransaction {
  /** The database, in whose SQL the statements are written; undefined in a storage without one. */
  readonly database: 'postgres' | 'sqlite' | undefined;

  /**
   * Runs a statement in the transaction, after those before it. One that fails undoes the write, even if its error is caught.
   *
   * @throws the error of the database; an error when the write has ended, and in a storage without a database
   */
  readonly query: (sql: string, parameters?: readonly unknown[]) => Promise<StatementResult>;
}

/** A write, and what is stored in the same step. */
export interface WriteStore {
  /**
   * The stores whose writes {@link write} runs, by their names. If a storage has another store in the place of one of them, its writes
   * are steps of their own.
   */
  readonly stores: Readonly<Record<string, unknown>>;

  /**
   * Runs a method of another store with its arguments and then `after`, and stores the additions, in one step: if one of them fails,
   * nothing is stored. A write that lost a race is run again with all of it.
   *
   * @param additionsOf - has no side effects
   * @param after - other writers may wait until it has ended. Its error, unless another writer caused it, is thrown
   */
  write<Store extends WrittenStore, Method extends WrittenMethod<Store>>(
    store: Store,
    method: Method,
    given: WriteGiven<Store, Method>,
    additionsOf: (outcome: WriteOutcome<Store, Method>) => WriteAdditions,
    after?: (outcome: WriteOutcome<Store, Method>, transaction: StoreTransaction) => Promise<void>,
  ): Promise<WriteOutcome<Store, Method>>;
}
