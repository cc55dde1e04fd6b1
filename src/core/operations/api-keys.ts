/** The operations of API keys. */

import type { components } from '../../../generated/openapi.js';
import { allRead, complete } from '../model/fields.js';
import type { ApiKey } from '../model/api-key.js';
import type { Services } from '../services/services.js';
import { type SomeOperations, conditional, listed } from './answers.js';
import { notToBeStored } from './auth.js';
import { contentTag } from './etag.js';

export function apiKeyOperations({ apiKeys }: Services) {
  return {
    async listApiKeys({ query: { page, limit, envelope, ...query }, ...others }, { caller, request }) {
      allRead(query, others);
      const found = await apiKeys.list(caller, { page, limit });
      if (!envelope) return { ...listed(found, request, apiKeyRecord), schema: 'ApiKeyList' };
      const data = found.data.map(apiKeyRecord);
      if (page === undefined && limit === undefined) {
        return { status: 200, schema: 'ApiKeyCollection', body: { data, total: found.pagination.total } };
      }
      return { status: 200, schema: 'ApiKeyOffsetPage', body: { data, pagination: found.pagination } };
    },

    async createApiKey({ body: { name, ...body }, ...others }, { caller }) {
      allRead(body, others);
      const { apiKey, key } = await apiKeys.create(caller, { name });
      const headers = { Location: `/api/keys/${apiKey.id}`, ...notToBeStored };
      return { status: 201, headers, body: { ...apiKeyRecord(apiKey), key } };
    },

    async getCurrentApiKey(
      { headers: { 'If-None-Match': ifNoneMatch, ...headers }, ...others },
      { caller, mediaType },
    ) {
      allRead(headers, others);
      const record = apiKeyRecord(await apiKeys.getCurrent(caller));
      return conditional(ifNoneMatch, contentTag(record, mediaType), record);
    },

    async deleteApiKey({ path: { id, ...path }, ...others }, { caller }) {
      allRead(path, others);
      await apiKeys.deactivate(caller, id);
      return { status: 204 };
    },
  } satisfies SomeOperations;
}

function apiKeyRecord(apiKey: ApiKey): components['schemas']['ApiKey'] {
  const { id, name, active, createdAt, lastUsedAt } = apiKey;
  return complete<components['schemas']['ApiKey']>({ id, name, active, createdAt, lastUsedAt });
}
