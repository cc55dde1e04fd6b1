/** The user operations: one user at a time. */

import type { components } from '../../../generated/openapi.js';
import type { GetUserRequest, GetUserResponse, Operations } from '../../../generated/operations.js';
import type { CallContext } from '../../engine/index.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { digest, entityTag, isNotModified, writeCondition } from './etag.js';
import type { UserPresenter } from './present-users.js';
import { userRecord } from './user-records.js';

type UserOperations = Pick<Operations<CallContext<Caller>>, 'createUser' | 'getUser' | 'replaceUser'>;

export function userOperations({ users }: Services, present: UserPresenter): UserOperations {
  return {
    async createUser({ body }, { caller, mediaType }) {
      const user = await users.create(caller, body);
      const headers = { Location: `/api/users/${user.id}`, ETag: entityTag(user.version, mediaType) };
      return { status: 201, headers, body: userRecord(user) };
    },

    async getUser({ path, query, headers }, { caller, mediaType }) {
      const user = await users.get(caller, path.id);
      if (query.embed !== undefined) {
        const [body = userRecord(user)] = await present([user], query.embed, caller);
        return conditional(headers, entityTag(user.version, mediaType, digest(body)), body);
      }
      return conditional(headers, entityTag(user.version, mediaType), userRecord(user));
    },

    async replaceUser({ path, headers, body }, { caller, mediaType }) {
      const user = await users.replace(caller, path.id, body, writeCondition(headers['If-Match']));
      return { status: 200, headers: { ETag: entityTag(user.version, mediaType) }, body: userRecord(user) };
    },
  };
}

/** The record, unless the client has it already. */
function conditional(
  { 'If-None-Match': ifNoneMatch }: GetUserRequest['headers'],
  ETag: string,
  body: components['schemas']['User'],
): GetUserResponse {
  if (isNotModified(ifNoneMatch, ETag)) return { status: 304, headers: { ETag } };
  return { status: 200, headers: { ETag }, body };
}
