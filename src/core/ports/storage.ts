/** The storage port: everything that the core needs from a database. */
import type { ApiKeyStore, RefreshTokenStore } from './credential-store.js';
import type { IdempotencyStore } from './idempotency-store.js';
import type { ImportStore } from './import-store.js';
import type { CommentStore, OrderStore } from './order-store.js';
import type { PostStore } from './post-store.js';
import type { ProductStore } from './product-store.js';
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
  readonly imports: ImportStore;
  readonly idempotency: IdempotencyStore;
}

/** The whole storage, which the service opens and closes. Other servers may provide only {@link Stores}, or a part of them. */
export interface Storage extends Stores {
  /** Resolves when the database answers; rejects with `unavailable` otherwise, also after `close`. */
  ping(): Promise<void>;

  /** Closes connections and files once pending calls are done. It may be called twice. */
  close(): Promise<void>;
}
