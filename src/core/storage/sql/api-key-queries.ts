/** The queries behind the API keys of the SQL storages. */
import type { Compilable } from 'kysely';
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewApiKey } from '../../ports/api-key-store.js';
import type { Slice } from '../../ports/slice.js';
import type { CountRow } from './counters.js';
import { notBefore } from './moments.js';
import { PreparedQuery } from './prepared-query.js';
import type { SqlInteger } from './schema.js';
import type { SqlDialect, SqlRunner } from './runner.js';
import { stretchOf } from './slice.js';

export interface ApiKeyRow {
  readonly id: SqlInteger;
  readonly name: string;
  readonly hash: string;
  readonly active: SqlInteger;
  readonly created_at: Timestamp;
  readonly last_used_at: Timestamp | null;
}

export class ApiKeyQueries {
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
