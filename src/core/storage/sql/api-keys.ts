/** The API keys of the SQL storages. */
import type { ApiKey } from '../../model/api-key.js';
import { parseId } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { ApiKeyCredentials, ApiKeyStore, NewApiKey } from '../../ports/api-key-store.js';
import type { Slice } from '../../ports/slice.js';
import { ApiKeyQueries, type ApiKeyRow } from './api-key-queries.js';
import type { SqlRunner } from './runner.js';
import { rowOf, rowsOf, type SqlTask } from './task.js';

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
