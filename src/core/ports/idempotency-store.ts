/** The part of the storage port that creates a record at most once per idempotency key of a caller. */
import type { ApiKey } from '../model/credentials.js';
import type { Id } from '../model/id.js';
import type { Comment, Order } from '../model/order.js';
import type { Product } from '../model/product.js';
import type { Timestamp } from '../model/timestamp.js';
import type { User } from '../model/user.js';
import type { Receiver } from '../model/webhook.js';
import type { NewApiKey } from './credential-store.js';
import type { NewComment, NewOrder } from './order-store.js';
import type { NewReceiver } from './outbox.js';
import type { NewProduct } from './product-store.js';
import type { NewUser } from './user-store.js';

/** The owner of a key, and the key's hash: the same key from two callers is two keys. */
export interface IdempotencyKey {
  readonly caller: string;
  readonly keyHash: string;
}

/** A request that creates a record under a key. */
export interface KeyedRequest extends IdempotencyKey {
  /** The hash of the request, by which another request under the same key is recognised. */
  readonly requestHash: string;
  /** The key is forgotten from this moment on. */
  readonly expiresAt: Timestamp;
}

/** An earlier creation under the same key. */
export interface EarlierCreation {
  readonly requestHash: string;
  /** The record may have been changed or deleted since. */
  readonly recordId: Id;
}

/**
 * Each `create…` stores the record and the key in one step, or neither: a refusal leaves the key unused. If several run at once
 * under one key, exactly one creates its record. The others get its {@link EarlierCreation}, even for a different request. A key
 * that has expired at `now` may be used again.
 *
 * Cascades: none. A key stays when its record or its caller is deleted, so that a repetition does not create another record.
 */
export interface IdempotencyStore {
  find(key: IdempotencyKey, now: Timestamp): Promise<EarlierCreation | undefined>;

  /** As `UserStore.create`. */
  createUser(
    request: KeyedRequest,
    user: NewUser,
    now: Timestamp,
  ): Promise<User | 'email-taken' | EarlierCreation>;

  /** As `OrderStore.create`. */
  createOrder(
    request: KeyedRequest,
    order: NewOrder,
    now: Timestamp,
  ): Promise<Order | 'user-not-found' | EarlierCreation>;

  /** As `ProductStore.create`. */
  createProduct(
    request: KeyedRequest,
    product: NewProduct,
    now: Timestamp,
  ): Promise<Product | EarlierCreation>;

  /** As `CommentStore.create`. */
  createComment(
    request: KeyedRequest,
    comment: NewComment,
    now: Timestamp,
  ): Promise<Comment | 'order-not-found' | 'user-not-found' | EarlierCreation>;

  /** As `ApiKeyStore.create`. */
  createApiKey(
    request: KeyedRequest,
    apiKey: NewApiKey,
    now: Timestamp,
  ): Promise<ApiKey | 'owner-not-found' | EarlierCreation>;

  /** As `OutboxStore.create`. */
  createWebhook(
    request: KeyedRequest,
    webhook: NewReceiver,
    now: Timestamp,
  ): Promise<Receiver | EarlierCreation>;

  /**
   * Deletes keys that expired at `now` or before, oldest first.
   *
   * @returns the number of deleted keys, at most `limit`
   */
  deleteExpired(now: Timestamp, limit: number): Promise<number>;
}

/** Whether a key was used before, so that nothing was created. */
export function isEarlier(outcome: object | string): outcome is EarlierCreation {
  return typeof outcome === 'object' && 'recordId' in outcome;
}
