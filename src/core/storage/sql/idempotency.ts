/** The idempotency keys of the SQL storages. */
import type { IdempotencyStore } from '../../ports/idempotency-store.js';
import { isAlone, type SqlRunner, type TasksOf, rowOf, rowsOf } from './query/runner.js';

export function idempotencyTasks({ builder, dialect }: SqlRunner): TasksOf<IdempotencyStore> {
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

    /**
     * A second transaction under the same key waits for the first to end, and then finds its record, or takes the key itself if the
     * first was rolled back.
     */
    *claim(request, now) {
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
      return undefined;
    },

    *keep({ caller, keyHash }, recordId) {
      yield* rowsOf<object>(
        recordId === undefined
          ? builder
              .deleteFrom('idempotency_keys')
              .where('caller', '=', caller)
              .where('key_hash', '=', keyHash)
          : builder
              .updateTable('idempotency_keys')
              .set({ record_id: recordId })
              .where('caller', '=', caller)
              .where('key_hash', '=', keyHash),
      );
    },

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
