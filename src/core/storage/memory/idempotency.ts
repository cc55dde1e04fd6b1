/** The idempotency keys of the memory storage. */
import type { Comment } from '../../model/comment.js';
import type { Id } from '../../model/id.js';
import type { Order } from '../../model/order.js';
import type { Product } from '../../model/product.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { User } from '../../model/user.js';
import type { NewComment } from '../../ports/comment-store.js';
import type {
  EarlierCreation,
  IdempotencyKey,
  IdempotencyStore,
  KeyedRequest,
} from '../../ports/idempotency-store.js';
import type { NewOrder } from '../../ports/order-store.js';
import type { NewProduct } from '../../ports/product-store.js';
import type { NewUser } from '../../ports/user-store.js';
import type { MemoryComments } from './comments.js';
import type { MemoryOrders } from './orders.js';
import type { MemoryProducts } from './products.js';
import type { MemoryUsers } from './users.js';

interface MemoryStores {
  readonly users: MemoryUsers;
  readonly orders: MemoryOrders;
  readonly products: MemoryProducts;
  readonly comments: MemoryComments;
}

interface Row extends EarlierCreation {
  readonly expiresAt: Timestamp;
}

/** No method awaits anything, so each is atomic. */
export class MemoryIdempotency implements IdempotencyStore {
  readonly #stores: MemoryStores;
  readonly #rows = new Map<string, Row>();

  constructor(stores: MemoryStores) {
    this.#stores = stores;
  }

  find(key: IdempotencyKey, now: Timestamp): Promise<EarlierCreation | undefined> {
    return Promise.resolve(this.#find(key, now));
  }

  createUser(
    request: KeyedRequest,
    user: NewUser,
    now: Timestamp,
  ): Promise<User | 'email-taken' | EarlierCreation> {
    return this.#once(request, now, () => this.#stores.users.add(user, now));
  }

  createOrder(
    request: KeyedRequest,
    order: NewOrder,
    now: Timestamp,
  ): Promise<Order | 'user-not-found' | EarlierCreation> {
    return this.#once(request, now, () => this.#stores.orders.addPending(order, now));
  }

  createProduct(
    request: KeyedRequest,
    product: NewProduct,
    now: Timestamp,
  ): Promise<Product | EarlierCreation> {
    return this.#once(request, now, () => this.#stores.products.add(product, []));
  }

  createComment(
    request: KeyedRequest,
    comment: NewComment,
    now: Timestamp,
  ): Promise<Comment | 'order-not-found' | 'user-not-found' | EarlierCreation> {
    return this.#once(request, now, () => this.#stores.comments.add(comment, now));
  }

  deleteExpired(now: Timestamp, limit: number): Promise<number> {
    const expired = [...this.#rows].filter(([, { expiresAt }]) => expiresAt <= now);
    const oldest = expired.sort(([, a], [, b]) => (a.expiresAt < b.expiresAt ? -1 : 1)).slice(0, limit);
    for (const [key] of oldest) this.#rows.delete(key);
    return Promise.resolve(oldest.length);
  }

  #find(key: IdempotencyKey, now: Timestamp): EarlierCreation | undefined {
    const row = this.#rows.get(textOf(key));
    if (row === undefined || row.expiresAt <= now) return undefined;
    return { requestHash: row.requestHash, recordId: row.recordId };
  }

  #once<Outcome extends { readonly id: Id } | string>(
    request: KeyedRequest,
    now: Timestamp,
    create: () => Outcome,
  ): Promise<Outcome | EarlierCreation> {
    const earlier = this.#find(request, now);
    if (earlier !== undefined) return Promise.resolve(earlier);
    const outcome = create();
    if (typeof outcome === 'object') {
      const { requestHash, expiresAt } = request;
      this.#rows.set(textOf(request), { requestHash, expiresAt, recordId: outcome.id });
    }
    return Promise.resolve(outcome);
  }
}

/** Unique to the pair of caller and key. */
function textOf({ caller, keyHash }: IdempotencyKey): string {
  return JSON.stringify([caller, keyHash]);
}
