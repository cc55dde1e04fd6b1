/** The API keys and refresh tokens of the SQL storages. */
import type { Insertable } from 'kysely';
import { parseId } from '../../model/id.js';
import type { ApiKeyStore, RefreshTokenStore } from '../../ports/credential-store.js';
import { insertOfUser, notBefore } from './query/clauses.js';
import { selectionOf } from './query/columns.js';
import {
  PreparedQuery,
  rowOf,
  rowsOf,
  type SqlTask,
  isAlone,
  type SqlRunner,
  type TasksOf,
} from './query/runner.js';
import { listedRecordsIn } from './query/pages.js';
import { apiKeyColumns, type RefreshTokensTable } from './query/schema.js';

export function apiKeyTasks(runner: SqlRunner): TasksOf<ApiKeyStore> {
  const { builder, dialect } = runner;
  const { find, list, count, recordOf } = listedRecordsIn(runner, 'api_keys', apiKeyColumns);
  const columns = selectionOf(apiKeyColumns, dialect);
  const keys = builder.selectFrom('api_keys').select(columns).select('hash').where('id', '=', '1');
  const credentials = new PreparedQuery('apiKeys.credentials', keys);

  return {
    find,
    list: (slice) => list(slice),
    count: () => count(),

    *create({ name, hash, ownerId }, now) {
      if (ownerId !== undefined && parseId(ownerId) === undefined) return 'owner-not-found';
      const values = { name, hash, created_at: now };
      const insertion =
        ownerId === undefined
          ? builder.insertInto('api_keys').values(values)
          : insertOfUser(builder, 'api_keys', 'owner_id', ownerId, values);
      const row = yield* rowOf(insertion.returning(columns));
      return row === undefined ? 'owner-not-found' : recordOf(row);
    },

    *findCredentials(id) {
      if (parseId(id) === undefined) return undefined;
      const row = yield* rowOf(credentials.with(id));
      if (row === undefined) return undefined;
      const { hash, ...apiKey } = row;
      return { apiKey: recordOf(apiKey), hash };
    },

    *deactivate(id) {
      if (parseId(id) === undefined) return 'not-found';
      const change = builder.updateTable('api_keys').set({ active: 0 }).where('id', '=', id);
      return (yield* rowOf(change.returning('id'))) === undefined ? 'not-found' : 'deactivated';
    },

    *deactivateAllOf(ownerId) {
      if (parseId(ownerId) === undefined) return 0;
      const change = builder.updateTable('api_keys').set({ active: 0 });
      const ofOwner = change.where('owner_id', '=', ownerId).where('active', '=', 1);
      return (yield* rowsOf(ofOwner.returning('id'))).length;
    },

    *recordUse(id, at) {
      if (parseId(id) === undefined) return;
      const change = builder.updateTable('api_keys').set({ last_used_at: notBefore('last_used_at', at) });
      yield* rowsOf(change.where('id', '=', id));
    },
  };
}

export function refreshTokenTasks({ builder, dialect }: SqlRunner): TasksOf<RefreshTokenStore> {
  const columns = [
    'hash',
    'user_id',
    'family',
    'used',
    dialect.moment('expires_at').as('expires_at'),
  ] as const;
  const token = builder.selectFrom('refresh_tokens').select(columns).where('hash', '=', '');
  const byHash = new PreparedQuery('refreshTokens.byHash', token);

  /**
   * Locks users' rows until the transaction ends. Every change of a user or of their tokens takes this lock: otherwise
   * PostgreSQL would let one transaction add a token while another deletes all tokens of the user.
   */
  const lock = builder.updateTable('users').set((eb) => ({ name: eb.ref('name') }));

  /** Locks the row of the token's user, and returns the token if it still exists then. */
  function* locked(hash: string) {
    const found = yield* rowOf(byHash.with(hash));
    if (found === undefined) return undefined;
    yield* rowsOf(lock.where('id', '=', found.user_id));
    return yield* rowOf(byHash.with(hash));
  }

  function* insert(row: Omit<Insertable<RefreshTokensTable>, 'used'>): SqlTask<void> {
    yield* rowsOf(builder.insertInto('refresh_tokens').values({ ...row, used: 0 }));
  }

  function* deleteFamily(family: string): SqlTask<void> {
    yield* rowsOf(builder.deleteFrom('refresh_tokens').where('family', '=', family));
  }

  return {
    *create({ hash, userId, expiresAt }, userVersion) {
      if (parseId(userId) === undefined) return 'stale';
      const user = lock.where('id', '=', userId).where('version', '=', userVersion);
      if ((yield* rowOf(user.where('status', '=', 'active').returning('id'))) === undefined) return 'stale';
      yield* insert({ hash, user_id: userId, family: hash, expires_at: expiresAt });
      return 'created';
    },

    *find(hash) {
      const row = yield* rowOf(byHash.with(hash));
      if (row === undefined) return undefined;
      const { user_id, expires_at: expiresAt, used } = row;
      return { hash, userId: String(user_id), expiresAt, isUsed: Number(used) === 1 };
    },

    *replace(hash, next) {
      const found = yield* locked(hash);
      if (found === undefined) return 'not-found';
      const { user_id, family } = found;
      const use = builder.updateTable('refresh_tokens').set({ used: 1 }).where('hash', '=', hash);
      if ((yield* rowOf(use.where('used', '=', 0).returning('hash'))) === undefined) {
        yield* deleteFamily(family);
        return 'used';
      }
      yield* insert({ hash: next.hash, user_id, family, expires_at: next.expiresAt });
      return 'replaced';
    },

    *revoke(hash) {
      const found = yield* locked(hash);
      if (found !== undefined) yield* deleteFamily(found.family);
    },

    *deleteExpired(now, limit) {
      if (!(yield* isAlone(dialect))) return 0;
      const oldest = builder
        .selectFrom('refresh_tokens')
        .select('hash')
        .where('expires_at', '<', now)
        .orderBy('expires_at')
        .limit(limit);
      const deletion = builder.deleteFrom('refresh_tokens').where('hash', 'in', oldest).returning('hash');
      return (yield* rowsOf(deletion)).length;
    },
  };
}
