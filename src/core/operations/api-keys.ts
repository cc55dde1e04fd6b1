/** The operations of API keys. */

import type { components } from '../../../generated/openapi.js';
import type { Operations } from '../../../generated/operations.js';
import type { CallContext } from 'concordat';
import type { ApiKey } from '../model/api-key.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { conditional, listed } from './answers.js';
import { notToBeStored } from './auth.js';
import { contentTag } from './etag.js';

type ApiKeyOperations = Pick<
  Operations<CallContext<Caller>>,
  'listApiKeys' | 'createApiKey' | 'getCurrentApiKey' | 'deleteApiKey'
>;

export function apiKeyOperations({ apiKeys }: Services): ApiKeyOperations {
  return {
    async listApiKeys({ query }, { caller, request }) {
      const page = await apiKeys.list(caller, query);
      if (!query.envelope) return { ...listed(page, request, apiKeyRecord), schema: 'ApiKeyList' };
      const data = page.data.map(apiKeyRecord);
      if (query.page === undefined && query.limit === undefined) {
        return { status: 200, schema: 'ApiKeyCollection', body: { data, total: page.pagination.total } };
      }
      return { status: 200, schema: 'ApiKeyOffsetPage', body: { data, pagination: page.pagination } };
    },

    async createApiKey({ body }, { caller }) {
      const { apiKey, key } = await apiKeys.create(caller, body);
      const headers = { Location: `/api/keys/${apiKey.id}`, ...notToBeStored };
      return { status: 201, headers, body: { ...apiKeyRecord(apiKey), key } };
    },

    async getCurrentApiKey({ headers }, { caller, mediaType }) {
      const record = apiKeyRecord(await apiKeys.getCurrent(caller));
      return conditional(headers['If-None-Match'], contentTag(record, mediaType), record);
    },

    async deleteApiKey({ path }, { caller }) {
      await apiKeys.deactivate(caller, path.id);
      return { status: 204 };
    },
  };
}

function apiKeyRecord(apiKey: ApiKey): components['schemas']['ApiKey'] {
  const { id, name, active, createdAt, lastUsedAt } = apiKey;
  return { id, name, active, createdAt, ...(lastUsedAt !== undefined && { lastUsedAt }) };
}
