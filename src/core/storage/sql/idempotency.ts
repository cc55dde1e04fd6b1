/** The idempotency keys of the SQL storages. */
import type { Compilable } from 'kysely';
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
import type { SqlComments } from './comments.js';
import type { SqlOrders } from './orders.js';
import type { SqlProducts } from './products.js';
import type { SqlRunner } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';
import type { SqlUsers } from './users.js';

interface SqlStores {
  readonly users: SqlUsers;
  readonly orders: SqlOrders;
  readonly products: SqlProducts;
  readonly comments: SqlComments;
}

export class SqlIdempotency implements IdempotencyStore {
  readonly #runner: SqlRunner;
  readonly #builder: SqlRunner['builder'];
  readonly #stores: SqlStores;

  constructor(runner: SqlRunner, stores: SqlStores) {
    this.#runner = runner;
    this.#builder = runner.builder;
    this.#stores = stores;
  }

  find(key: IdempotencyKey, now: Timestamp): Promise<EarlierCreation | undefined> {
    return this.#runner.run(() => this.#find(key, now));
  }

  *#find({ caller, keyHash }: IdempotencyKey, now: Timestamp): SqlTask<EarlierCreation | undefined> {
    const row = yield* rowOf(
      this.#builder
        .selectFrom('idempotency_keys')
        .select(['request_hash', 'record_id'])
        .where('caller', '=', caller)
        .where('key_hash', '=', keyHash)
        .where('expires_at', '>', now),
    );
    return row && { requestHash: row.request_hash, recordId: String(row.record_id) };
  }

  createUser(
    request: KeyedRequest,
    user: NewUser,
    now: Timestamp,
  ): Promise<User | 'email-taken' | EarlierCreation> {
    return this.#once(request, now, () => this.#stores.users.creation(user, now));
  }

  createOrder(
    request: KeyedRequest,
    order: NewOrder,
    now: Timestamp,
  ): Promise<Order | 'user-not-found' | EarlierCreation> {
    return this.#once(request, now, () => this.#stores.orders.creation(order, now));
  }

  createProduct(
    request: KeyedRequest,
    product: NewProduct,
    now: Timestamp,
  ): Promise<Product | EarlierCreation> {
    return this.#once(request, now, () => this.#stores.products.creation(product));
  }

  createComment(
    request: KeyedRequest,
    comment: NewComment,
    now: Timestamp,
  ): Promise<Comment | 'order-not-found' | 'user-not-found' | EarlierCreation> {
    return this.#once(request, now, () => this.#stores.comments.creation(comment, now));
  }

  deleteExpired(now: Timestamp, limit: number): Promise<number> {
    return this.#runner.run(() => this.#deleteExpired(now, limit));
  }

  *#deleteExpired(now: Timestamp, limit: number): SqlTask<number> {
    const oldest = this.#builder
      .selectFrom('idempotency_keys')
      .select(['caller', 'key_hash'])
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit);
    const deletion = this.#builder
      .deleteFrom('idempotency_keys')
      .where((eb) => eb(eb.refTuple('caller', 'key_hash'), 'in', oldest.$asTuple('caller', 'key_hash')))
      .returning('key_hash');
    return (yield* rowsOf(deletion)).length;
  }

  #once<Outcome extends { readonly id: Id } | string>(
    request: KeyedRequest,
    now: Timestamp,
    create: () => SqlTask<Outcome>,
  ): Promise<Outcome | EarlierCreation> {
    return this.#runner.runAtomically(() => this.#createOnce(request, now, create));
  }

  /**
   * The key is inserted first. A second transaction under the same key waits for the first to end, and then finds its record,
   * or takes the key itself where the first was rolled back.
   */
  *#createOnce<Outcome extends { readonly id: Id } | string>(
    request: KeyedRequest,
    now: Timestamp,
    create: () => SqlTask<Outcome>,
  ): SqlTask<Outcome | EarlierCreation> {
    while ((yield* rowOf(this.#take(request, now))) === undefined) {
      const earlier = yield* this.#find(request, now);
      if (earlier !== undefined) return earlier; // else it was deleted in the meantime
    }
    const outcome = yield* create();
    yield* rowsOf(typeof outcome === 'string' ? this.#free(request) : this.#keep(request, outcome.id));
    return outcome;
  }

  /** Returns no row when the key is in use. */
  #take({ caller, keyHash, requestHash, expiresAt }: KeyedRequest, now: Timestamp): Compilable<object> {
    return this.#builder
      .insertInto('idempotency_keys')
      .values({ caller, key_hash: keyHash, request_hash: requestHash, expires_at: expiresAt })
      .onConflict((conflict) =>
        conflict
          .columns(['caller', 'key_hash'])
          .doUpdateSet({ request_hash: requestHash, record_id: null, expires_at: expiresAt })
          .where('idempotency_keys.expires_at', '<=', now),
      )
      .returning('key_hash');
  }

  #keep({ caller, keyHash }: IdempotencyKey, id: Id): Compilable<object> {
    return this.#builder
      .updateTable('idempotency_keys')
      .set({ record_id: id })
      .where('caller', '=', caller)
      .where('key_hash', '=', keyHash);
  }

  #free({ caller, keyHash }: IdempotencyKey): Compilable<object> {
    return this.#builder
      .deleteFrom('idempotency_keys')
      .where('caller', '=', caller)
      .where('key_hash', '=', keyHash);
  }
}
