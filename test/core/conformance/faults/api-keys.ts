/** Stores that break a rule of API keys. */
import type { ApiKey } from '../../../../src/core/model/credentials.js';
import type { Faults } from './fault.js';

/** What a store gives for a key, changed wherever it gives one. */
function changed(apiKey: ApiKey, fields: Partial<ApiKey> & { readonly hash?: string }): ApiKey {
  return { ...apiKey, ...fields };
}

export const apiKeyFaults: Faults = {
  'the keys of everybody are deactivated': [
    ['api-keys-deactivate-all'],
    ({ apiKeys }) => {
      const deactivateAllOf = apiKeys.deactivateAllOf.bind(apiKeys);
      apiKeys.deactivateAllOf = async (ownerId) => {
        const count = await deactivateAllOf(ownerId);
        for (const { id } of await apiKeys.list({ offset: 0, limit: 100 })) await apiKeys.deactivate(id);
        return count;
      };
    },
  ],
  'a key must be activated first': [
    ['api-keys-create'],
    ({ apiKeys }) => {
      const create = apiKeys.create.bind(apiKeys);
      apiKeys.create = async (key, now) => {
        const made = await create(key, now);
        if (typeof made !== 'string') await apiKeys.deactivate(made.id);
        return typeof made === 'string' ? made : changed(made, { active: false });
      };
    },
  ],
  'the name of a key is trimmed': [
    ['api-keys-create'],
    ({ apiKeys }) => {
      const create = apiKeys.create.bind(apiKeys);
      apiKeys.create = (key, now) => create({ ...key, name: key.name.trim() }, now);
    },
  ],
  'the hash of a key is a field like any other': [
    ['api-keys-hash-apart'],
    ({ apiKeys }) => {
      const find = apiKeys.find.bind(apiKeys);
      apiKeys.find = async (id) => {
        const found = await apiKeys.findCredentials(id);
        return found === undefined ? await find(id) : changed(found.apiKey, { hash: found.hash });
      };
    },
  ],
  'the id of a key is read as a number': [
    ['api-keys-odd-ids'],
    ({ apiKeys }) => {
      const find = apiKeys.find.bind(apiKeys);
      apiKeys.find = (id) => find(String(Number(id)));
    },
  ],
  'a key may belong to nobody in the store': [
    ['api-keys-odd-ids'],
    ({ apiKeys }) => {
      const create = apiKeys.create.bind(apiKeys);
      apiKeys.create = async (key, now) => {
        const made = await create(key, now);
        return made === 'owner-not-found' ? await create({ ...key, ownerId: undefined }, now) : made;
      };
    },
  ],
  'inactive keys are not listed': [
    ['api-keys-list', 'api-keys-deactivate'],
    ({ apiKeys }) => {
      const list = apiKeys.list.bind(apiKeys);
      apiKeys.list = async (slice) => (await list(slice)).filter(({ active }) => active);
    },
  ],
  'keys are listed by their ids as text': [
    ['api-keys-list'],
    ({ apiKeys }) => {
      const list = apiKeys.list.bind(apiKeys);
      apiKeys.list = async (slice) => (await list(slice)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
  ],
  'a key is deactivated for whoever lists it only': [
    ['api-keys-deactivate'],
    ({ apiKeys }) => {
      const findCredentials = apiKeys.findCredentials.bind(apiKeys);
      apiKeys.findCredentials = async (id) => {
        const found = await findCredentials(id);
        return found && { ...found, apiKey: changed(found.apiKey, { active: true }) };
      };
    },
  ],
  'a key that is inactive is not found to be deactivated': [
    ['api-keys-deactivate'],
    ({ apiKeys }) => {
      const deactivate = apiKeys.deactivate.bind(apiKeys);
      apiKeys.deactivate = async (id) =>
        (await apiKeys.find(id))?.active === true ? await deactivate(id) : 'not-found';
    },
  ],
  'the use that was told last counts as the last use': [
    ['api-keys-use'],
    ({ apiKeys }) => {
      const uses = new Map<string, string>();
      apiKeys.recordUse = (id, at) => Promise.resolve(void uses.set(id, at));
      const find = apiKeys.find.bind(apiKeys);
      apiKeys.find = async (id) => {
        const [found, lastUsedAt] = [await find(id), uses.get(id)];
        return found && lastUsedAt !== undefined ? changed(found, { lastUsedAt }) : found;
      };
    },
  ],
  'a key stays when its owner goes': [
    ['api-keys-owner'],
    ({ apiKeys, users }) => {
      const create = apiKeys.create.bind(apiKeys);
      apiKeys.create = async ({ ownerId, ...key }, now) => {
        const isMissing = ownerId !== undefined && (await users.find(ownerId)) === undefined;
        return isMissing ? 'owner-not-found' : await create({ ownerId: undefined, ...key }, now);
      };
    },
  ],
};
