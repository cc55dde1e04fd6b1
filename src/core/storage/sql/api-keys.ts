/** The API keys of the SQL storages. */
import type { ApiKey } from '../../model/api-key.js';
import { parseId, type Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { ApiKeyCredentials, ApiKeyStore, NewApiKey } from '../../ports/api-key-store.js';
import type { Slice } from '../../ports/slice.js';
import type { SqlRunner, SqlDialect } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';
import type { Compilable } from 'kysely';
import type { CountRow } from './query/counters.js';
import { notBefore } from './query/moments.js';
import { PreparedQuery } from './query/prepared-query.js';
import type { SqlInteger } from './query/schema.js';
import { stretchOf } from './query/slice.js';

interface ApiKeyRow {
  readonly id: SqlInteger;
  readonly name: string;
  readonly hash: string;
  readonly active: SqlInteger;
  readonly created_at: Timestamp;
  readonly last_used_at: Timestamp | null;
}

class ApiKeyQueries {
  readonly #builder: SqlRunner['builder'];
  readonly #columns: ReturnType<typeof apiKeyColumns>;

  readonly byId: PreparedQuery<ApiKeyRow>;

  constructor({ builder, dialect }: SqlRunner) {
    this.#builder = builder;
    this.#columns = apiKeyColumns(dialect);
    const apiKey = builder.selectFrom('api_keys').select(this.#columns).where('id', '=', '1');
    this.byId = new PreparedQuery('apiKeys.byId', apiKey);
  }

  /** Returns no row when there is no such owner. */
  insert({ name, hash, ownerId }: NewApiKey, now: Timestamp): Compilable<ApiKeyRow> {
    const insertion = this.#builder.insertInto('api_keys');
    if (ownerId === undefined) {
      return insertion.values({ name, hash, created_at: now }).returning(this.#columns);
    }
    return insertion
      .columns(['owner_id', 'name', 'hash', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .where('id', '=', ownerId)
          .select('id')
          .select([eb.val(name).as('name'), eb.val(hash).as('hash'), eb.val(now).as('created_at')]),
      )
      .returning(this.#columns);
  }

  list(slice: Slice): Compilable<ApiKeyRow> {
    const { after, limit, offset } = stretchOf(slice);
    return this.#builder
      .selectFrom('api_keys')
      .select(this.#columns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .offset(offset);
  }

  /** Counted by a scan, because there are few keys. */
  count(): Compilable<CountRow> {
    return this.#builder.selectFrom('api_keys').select(({ fn }) => fn.countAll().as('count'));
  }

  deactivate(id: Id): Compilable<Pick<ApiKeyRow, 'id'>> {
    return this.#builder.updateTable('api_keys').set({ active: 0 }).where('id', '=', id).returning('id');
  }

  recordUse(id: Id, at: Timestamp): Compilable<object> {
    return this.#builder
      .updateTable('api_keys')
      .set({ last_used_at: notBefore('last_used_at', at) })
      .where('id', '=', id);
  }
}

function apiKeyColumns({ moment }: SqlDialect) {
  return [
    'id',
    'name',
    'hash',
    'active',
    moment('created_at').as('created_at'),
    moment('last_used_at').as('last_used_at'),
  ] as const;
}

export class SqlApiKeys implements ApiKeyStore {
  readonly #runner: SqlRunner;
  readonly #queries: ApiKeyQueries;

  constructor(runner: SqlRunner) {
    this.#runner = runner;
    this.#queries = new ApiKeyQueries(runner);
  }

  create(key: NewApiKey, now: Timestamp): Promise<ApiKey | 'owner-not-found'> {
    return this.#runner.run(() => this.#create(key, now));
  }

  *#create({ name, hash, ownerId }: NewApiKey, now: Timestamp): SqlTask<ApiKey | 'owner-not-found'> {
    if (ownerId !== undefined && parseId(ownerId) === undefined) return 'owner-not-found';
    const row = yield* rowOf(this.#queries.insert({ name, hash, ownerId }, now));
    return row === undefined ? 'owner-not-found' : apiKeyOf(row);
  }

  async find(id: string): Promise<ApiKey | undefined> {
    return (await this.findCredentials(id))?.apiKey;
  }

  findCredentials(id: string): Promise<ApiKeyCredentials | undefined> {
    return this.#runner.run(() => this.#findCredentials(id));
  }

  *#findCredentials(id: string): SqlTask<ApiKeyCredentials | undefined> {
    if (parseId(id) === undefined) return undefined;
    const row = yield* rowOf(this.#queries.byId.with(id));
    return row && { apiKey: apiKeyOf(row), hash: row.hash };
  }

  list(slice: Slice): Promise<readonly ApiKey[]> {
    return this.#runner.run(() => this.#list(slice));
  }

  *#list(slice: Slice): SqlTask<readonly ApiKey[]> {
    return (yield* rowsOf(this.#queries.list(slice))).map(apiKeyOf);
  }

  count(): Promise<number> {
    return this.#runner.run(() => this.#count());
  }

  *#count(): SqlTask<number> {
    return Number((yield* rowOf(this.#queries.count()))?.count);
  }

  deactivate(id: string): Promise<'deactivated' | 'not-found'> {
    return this.#runner.run(() => this.#deactivate(id));
  }

  *#deactivate(id: string): SqlTask<'deactivated' | 'not-found'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.deactivate(id));
    return row === undefined ? 'not-found' : 'deactivated';
  }

  recordUse(id: string, at: Timestamp): Promise<void> {
    return this.#runner.run(() => this.#recordUse(id, at));
  }

  *#recordUse(id: string, at: Timestamp): SqlTask<void> {
    if (parseId(id) !== undefined) yield* rowsOf(this.#queries.recordUse(id, at));
  }
}

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: String(row.id),
    name: row.name,
    active: Number(row.active) === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
