/** The API keys of the memory storage. */
import type { ApiKey } from '../../model/api-key.js';
import { latestOf, type Timestamp } from '../../model/timestamp.js';
import type { ApiKeyCredentials, ApiKeyStore, NewApiKey } from '../../ports/api-key-store.js';
import type { Slice } from '../../ports/slice.js';
import type { Tables } from './tables.js';

/** No method awaits anything, so each is atomic. */
export class MemoryApiKeys implements ApiKeyStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create({ name, hash, ownerId }: NewApiKey, now: Timestamp): Promise<ApiKey | 'owner-not-found'> {
    const { apiKeys, users } = this.#tables;
    if (ownerId !== undefined && users.get(ownerId) === undefined) return Promise.resolve('owner-not-found');
    const id = apiKeys.nextId();
    const apiKey = Object.freeze<ApiKey>({ id, name, active: true, createdAt: now, lastUsedAt: undefined });
    apiKeys.add({ id, apiKey, hash, ownerId });
    return Promise.resolve(apiKey);
  }

  find(id: string): Promise<ApiKey | undefined> {
    return Promise.resolve(this.#tables.apiKeys.get(id)?.apiKey);
  }

  findCredentials(id: string): Promise<ApiKeyCredentials | undefined> {
    const row = this.#tables.apiKeys.get(id);
    return Promise.resolve(row && { apiKey: row.apiKey, hash: row.hash });
  }

  list(slice: Slice): Promise<readonly ApiKey[]> {
    return Promise.resolve(this.#tables.apiKeys.slice(slice).map(({ apiKey }) => apiKey));
  }

  count(): Promise<number> {
    return Promise.resolve(this.#tables.apiKeys.count());
  }

  deactivate(id: string): Promise<'deactivated' | 'not-found'> {
    return Promise.resolve(this.#change(id, () => ({ active: false })) ? 'deactivated' : 'not-found');
  }

  recordUse(id: string, at: Timestamp): Promise<void> {
    this.#change(id, ({ lastUsedAt = at }) => ({ lastUsedAt: latestOf(lastUsedAt, at) }));
    return Promise.resolve();
  }

  #change(id: string, change: (apiKey: ApiKey) => Partial<ApiKey>): boolean {
    const row = this.#tables.apiKeys.get(id);
    if (row === undefined) return false;
    const apiKey = Object.freeze({ ...row.apiKey, ...change(row.apiKey) });
    this.#tables.apiKeys.replace({ ...row, apiKey });
    return true;
  }
}
