/** The API keys of the memory storage. */
import type { ApiKey } from '../../model/api-key.js';
import { latestOf } from '../../model/timestamp.js';
import type { ApiKeyStore } from '../../ports/api-key-store.js';
import type { AtOnce } from './store-of.js';
import type { Tables } from './tables.js';

export function memoryApiKeys({ apiKeys, users }: Tables): AtOnce<ApiKeyStore> {
  function change(id: string, changed: (apiKey: ApiKey) => Partial<ApiKey>): boolean {
    const row = apiKeys.get(id);
    if (row === undefined) return false;
    apiKeys.replace({ ...row, apiKey: Object.freeze({ ...row.apiKey, ...changed(row.apiKey) }) });
    return true;
  }

  return {
    create({ name, hash, ownerId }, now) {
      if (ownerId !== undefined && users.get(ownerId) === undefined) return 'owner-not-found';
      const id = apiKeys.nextId();
      const apiKey = Object.freeze<ApiKey>({ id, name, active: true, createdAt: now, lastUsedAt: undefined });
      apiKeys.add({ id, apiKey, hash, ownerId });
      return apiKey;
    },

    find: (id) => apiKeys.get(id)?.apiKey,

    findCredentials(id) {
      const row = apiKeys.get(id);
      return row && { apiKey: row.apiKey, hash: row.hash };
    },

    list: (slice) => apiKeys.slice(slice).map(({ apiKey }) => apiKey),
    count: () => apiKeys.count(),
    deactivate: (id) => (change(id, () => ({ active: false })) ? 'deactivated' : 'not-found'),

    recordUse(id, at) {
      change(id, ({ lastUsedAt = at }) => ({ lastUsedAt: latestOf(lastUsedAt, at) }));
    },
  };
}
