/** Stores that break a rule of API keys. */
import type { ApiKey } from '../../../../src/core/model/credentials.js';
import { byIdAsText, storeFaults } from './fault.js';

/** What a store gives for a key, changed wherever it gives one. */
function changed(apiKey: ApiKey, fields: Partial<ApiKey> & { readonly hash?: string }): ApiKey {
  return { ...apiKey, ...fields };
}

export const apiKeyFaults = storeFaults('apiKeys', {
  create: {
    'a key must be activated first: api-keys-create':
      (create, { apiKeys }) =>
      async (key, now) => {
        const made = await create(key, now);
        if (typeof made === 'string') return made;
        await apiKeys.deactivate(made.id);
        return changed(made, { active: false });
      },
    'the name of a key is trimmed: api-keys-create': (create) => (key, now) =>
      create({ ...key, name: key.name.trim() }, now),
    'a key may belong to nobody in the store: api-keys-odd-ids': (create) => async (key, now) => {
      const made = await create(key, now);
      return made === 'owner-not-found' ? await create({ ...key, ownerId: undefined }, now) : made;
    },
    'a key stays when its owner goes: api-keys-owner':
      (create, { users }) =>
      async ({ ownerId, ...key }, now) => {
        const isMissing = ownerId !== undefined && (await users.find(ownerId)) === undefined;
        return isMissing ? 'owner-not-found' : await create({ ownerId: undefined, ...key }, now);
      },
    'keys that are created at once have one id: api-keys-race-ids': (create) => {
      let last: ReturnType<typeof create> | undefined;
      return async (key, now) => {
        last ??= create(key, now);
        try {
          return await last;
        } finally {
          last = undefined;
        }
      };
    },
  },
  find: {
    'the hash of a key is a field like any other: api-keys-hash-apart':
      (find, { apiKeys }) =>
      async (id) => {
        const found = await apiKeys.findCredentials(id);
        return found === undefined ? await find(id) : changed(found.apiKey, { hash: found.hash });
      },
    'the id of a key is read as a number: api-keys-odd-ids': (find) => (id) => find(String(Number(id))),
    'a key is shared with callers: api-keys-immutable': (find) => {
      const shared = new Map<string, ApiKey>();
      return async (id) => {
        const found = shared.get(id) ?? (await find(id));
        if (found !== undefined) shared.set(id, { ...found });
        return shared.get(id);
      };
    },
    'the use that was told last counts as the last use: api-keys-use': (find, { apiKeys }) => {
      const uses = new Map<string, string>();
      apiKeys.recordUse = (id, at) => Promise.resolve(void uses.set(id, at));
      return async (id) => {
        const [found, lastUsedAt] = [await find(id), uses.get(id)];
        return found && lastUsedAt !== undefined ? changed(found, { lastUsedAt }) : found;
      };
    },
  },
  findCredentials: {
    'a key is deactivated for whoever lists it only: api-keys-deactivate':
      (findCredentials) => async (id) => {
        const found = await findCredentials(id);
        return found && { ...found, apiKey: changed(found.apiKey, { active: true }) };
      },
  },
  list: {
    'inactive keys are not listed: api-keys-fresh-reads, api-keys-deactivate': (list) => async (slice) =>
      (await list(slice)).filter(({ active }) => active),
    'keys are listed by their ids as text: api-keys-list-order': (list) => async (slice) =>
      (await list(slice)).toSorted(byIdAsText),
  },
  deactivate: {
    'a key that is inactive is not found to be deactivated: api-keys-deactivate':
      (deactivate, { apiKeys }) =>
      async (id) =>
        (await apiKeys.find(id))?.active === true ? await deactivate(id) : 'not-found',
  },
  deactivateAllOf: {
    'the keys of everybody are deactivated: api-keys-deactivate-all':
      (deactivateAllOf, { apiKeys }) =>
      async (ownerId) => {
        const count = await deactivateAllOf(ownerId);
        for (const { id } of await apiKeys.list({ offset: 0, limit: 100 })) await apiKeys.deactivate(id);
        return count;
      },
  },
});
