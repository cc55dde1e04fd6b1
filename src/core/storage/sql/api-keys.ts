/** The API keys of the SQL storages. */
import type { Selectable } from 'kysely';
import type { ApiKey } from '../../model/credentials.js';
import { parseId } from '../../model/id.js';
import type { ApiKeyStore } from '../../ports/credential-store.js';
import { notBefore, stretchOf } from './query/clauses.js';
import { PreparedQuery } from './query/prepared.js';
import type { SqlRunner, TasksOf } from './query/runner.js';
import type { ApiKeysTable } from './query/schema.js';
import { countOf, rowOf, rowsOf } from './query/task.js';

export function apiKeyTasks({ builder, dialect: { moment } }: SqlRunner): TasksOf<ApiKeyStore> {
  const columns = [
    'id',
    'name',
    'hash',
    'active',
    moment('created_at').as('created_at'),
    moment('last_used_at').as('last_used_at'),
  ] as const;
  const keys = builder.selectFrom('api_keys').select(columns);
  const byId = new PreparedQuery('apiKeys.byId', keys.where('id', '=', '1'));

  const tasks: TasksOf<ApiKeyStore> = {
    *create({ name, hash, ownerId }, now) {
      const insertion = builder.insertInto('api_keys');
      if (ownerId === undefined) {
        const made = insertion.values({ name, hash, created_at: now }).returning(columns);
        const [row] = (yield* rowsOf(made)) as [ApiKeyRow]; // the insert has no condition
        return apiKeyOf(row);
      }
      if (parseId(ownerId) === undefined) return 'owner-not-found';
      const row = yield* rowOf(
        insertion
          .columns(['owner_id', 'name', 'hash', 'created_at'])
          .expression((eb) =>
            eb
              .selectFrom('users')
              .where('id', '=', ownerId)
              .select('id')
              .select([eb.val(name).as('name'), eb.val(hash).as('hash'), eb.val(now).as('created_at')]),
          )
          .returning(columns),
      );
      return row === undefined ? 'owner-not-found' : apiKeyOf(row);
    },

    *find(id) {
      return (yield* tasks.findCredentials(id))?.apiKey;
    },

    *findCredentials(id) {
      if (parseId(id) === undefined) return undefined;
      const row = yield* rowOf(byId.with(id));
      return row && { apiKey: apiKeyOf(row), hash: row.hash };
    },

    *list(slice) {
      const { after, limit, offset } = stretchOf(slice);
      const page = keys.where('id', '>', after).orderBy('id').limit(limit).offset(offset);
      return (yield* rowsOf(page)).map(apiKeyOf);
    },

    /** Counted by a scan, because there are few keys. */
    *count() {
      return yield* countOf(builder.selectFrom('api_keys').select(({ fn }) => fn.countAll().as('count')));
    },

    *deactivate(id) {
      if (parseId(id) === undefined) return 'not-found';
      const change = builder.updateTable('api_keys').set({ active: 0 }).where('id', '=', id);
      return (yield* rowOf(change.returning('id'))) === undefined ? 'not-found' : 'deactivated';
    },

    *recordUse(id, at) {
      if (parseId(id) === undefined) return;
      const change = builder.updateTable('api_keys').set({ last_used_at: notBefore('last_used_at', at) });
      yield* rowsOf(change.where('id', '=', id));
    },
  };
  return tasks;
}

type ApiKeyRow = Omit<Selectable<ApiKeysTable>, 'owner_id'>;

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: String(row.id),
    name: row.name,
    active: Number(row.active) === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
