/** The idempotency keys of the SQL storages. */
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { EarlierCreation, IdempotencyStore, KeyedRequest } from '../../ports/idempotency-store.js';
import type { Stores } from '../../ports/storage.js';
import { isAlone, type SqlRunner, type TasksOf, rowOf, rowsOf, type SqlTask } from './query/runner.js';

/** The tasks that create the records. */
type Creations = {
  readonly [Name in 'users' | 'orders' | 'products' | 'comments' | 'apiKeys' | 'outbox']: Pick<
    TasksOf<Stores[Name]>,
    'create'
  >;
};

export function idempotencyTasks(
  { builder, dialect }: SqlRunner,
  { users, orders, products, comments, apiKeys, outbox }: Creations,
): TasksOf<IdempotencyStore> {
  /**
   * The key is inserted first. A second transaction under the same key waits for the first to end, and then finds its record, or
   * takes the key itself if the first was rolled back.
   */
  function* once<Outcome extends { readonly id: Id } | string>(
    request: KeyedRequest,
    now: Timestamp,
    creation: SqlTask<Outcome>,
  ): SqlTask<Outcome | EarlierCreation> {
    const { caller, keyHash, requestHash, expiresAt } = request;
    const take = builder
      .insertInto('idempotency_keys')
      .values({ caller, key_hash: keyHash, request_hash: requestHash, expires_at: expiresAt })
      .onConflict((conflict) =>
        conflict
          .columns(['caller', 'key_hash'])
          .doUpdateSet({ request_hash: requestHash, record_id: null, expires_at: expiresAt })
          .where('idempotency_keys.expires_at', '<=', now),
      )
      .returning('key_hash');
    while ((yield* rowOf(take)) === undefined) {
      const earlier = yield* tasks.find(request, now);
      if (earlier !== undefined) return earlier; // else it was deleted in the meantime
    }
    const outcome = yield* creation;
    const end =
      typeof outcome === 'string'
        ? builder.deleteFrom('idempotency_keys').where('caller', '=', caller).where('key_hash', '=', keyHash)
        : builder
            .updateTable('idempotency_keys')
            .set({ record_id: outcome.id })
            .where('caller', '=', caller)
            .where('key_hash', '=', keyHash);
    yield* rowsOf<object>(end);
    return outcome;
  }

  const tasks: TasksOf<IdempotencyStore> = {
    *find({ caller, keyHash }, now) {
      const row = yield* rowOf(
        builder
          .selectFrom('idempotency_keys')
          .select(['request_hash', 'record_id'])
          .where('caller', '=', caller)
          .where('key_hash', '=', keyHash)
          .where('expires_at', '>', now),
      );
      return row && { requestHash: row.request_hash, recordId: String(row.record_id) };
    },

    createUser: (request, user, now) => once(request, now, users.create(user, now)),
    createOrder: (request, order, now) => once(request, now, orders.create(order, now)),
    createProduct: (request, product, now) => once(request, now, products.create(product)),
    createComment: (request, comment, now) => once(request, now, comments.create(comment, now)),
    createApiKey: (request, apiKey, now) => once(request, now, apiKeys.create(apiKey, now)),
    createWebhook: (request, webhook, now) => once(request, now, outbox.create(webhook, now)),

    *deleteExpired(now, limit) {
      if (!(yield* isAlone(dialect))) return 0;
      const oldest = builder
        .selectFrom('idempotency_keys')
        .select(['caller', 'key_hash'])
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit);
      const deletion = builder
        .deleteFrom('idempotency_keys')
        .where((eb) => eb(eb.refTuple('caller', 'key_hash'), 'in', oldest.$asTuple('caller', 'key_hash')))
        .returning('key_hash');
      return (yield* rowsOf(deletion)).length;
    },
  };
  return tasks;
}
