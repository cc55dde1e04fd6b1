/** The storage port: everything that the core asks of a database. */
import type { ApiKeyStore } from './api-key-store.js';
import type { CommentStore } from './comment-store.js';
import type { ExternalIdentityStore } from './external-identity-store.js';
import type { ImportStore } from './import-store.js';
import type { OrderStore } from './order-store.js';
import type { PostStore } from './post-store.js';
import type { ProductStore } from './product-store.js';
import type { RefreshTokenStore } from './refresh-token-store.js';
import type { UserStore } from './user-store.js';

/**
 * One database, by what it keeps. What holds for every store in it:
 *
 * - A store assigns ids: canonical (`parseId`), growing with every record it creates, never used twice, also not after a
 *   deletion. Any other text asked for as an id, of whatever length, is simply not found.
 * - What a method says happens "in one step" is atomic: other callers, of any process, see all of it or nothing.
 * - What is refused for a reason that the caller can act on is a returned word (`not-found`, `stale`); a promise rejects only
 *   when the database fails, with a `ServiceError` of code `unavailable` where it does not answer.
 * - An acknowledged write is kept as firmly as the database keeps anything.
 * - Records are values: nothing that a caller does to a record reaches the store, and a record does not change after it
 *   was returned. Texts come back exactly as they went in.
 * - Stores have no clock: they are told the time. A record's `version` starts at 1 and grows by 1 with each write.
 *
 * `storageChecks` of `@concordat/core/conformance` checks all of this.
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
}

/** The whole storage, which the service opens and closes. {@link Stores} is what other servers bring, or a part of it. */
export interface Storage extends Stores {
  /** Resolves when the database answers; rejects with `unavailable` otherwise, also after `close`. */
  ping(): Promise<void>;

  /** Lets go of connections and files once the calls under way are done. Closing twice is closing once. */
  close(): Promise<void>;
}
