/** The user operations: one user at a time. */

import type { GetUserRequest, Operations } from '../../../generated/operations.js';
import type { CallContext } from 'concordat';
import type { User } from '../model/user.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { conditional } from './answers.js';
import { digest, entityTag, writeCondition } from './etag.js';
import type { UserPresenter } from './present-users.js';
import { userRecord } from './user-records.js';

type UserOperations = Pick<
  Operations<CallContext<Caller>>,
  'createUser' | 'getUser' | 'replaceUser' | 'deleteUser' | 'activateUser' | 'getProfile'
>;

export function userOperations({ users }: Services, present: UserPresenter): UserOperations {
  return {
    async createUser({ body }, { caller, mediaType }) {
      const user = await users.create(caller, body);
      const headers = { Location: `/api/users/${user.id}`, ETag: entityTag(user.version, mediaType) };
      return { status: 201, headers, body: userRecord(user) };
    },

    async getUser({ path, query, headers }, { caller, mediaType }) {
      const user = await users.get(caller, path.id);
      if (query.embed !== undefined) return await withOrders(user, headers, caller, mediaType);
      return conditional(headers['If-None-Match'], entityTag(user.version, mediaType), userRecord(user));
    },

    async getProfile({ query, headers }, { caller, mediaType }) {
      const user = await users.getProfile(caller);
      if (query.embed !== undefined) return await withOrders(user, headers, caller, mediaType);
      return conditional(headers['If-None-Match'], entityTag(user.version, mediaType), userRecord(user));
    },

    async replaceUser({ path, headers, body }, { caller, mediaType }) {
      const user = await users.replace(caller, path.id, body, writeCondition(headers['If-Match']));
      return { status: 200, headers: { ETag: entityTag(user.version, mediaType) }, body: userRecord(user) };
    },

    async deleteUser({ path, headers }, { caller }) {
      await users.delete(caller, path.id, writeCondition(headers['If-Match']));
      return { status: 204 };
    },

    async activateUser({ path }, { caller, mediaType }) {
      const user = await users.activate(caller, path.id);
      return { status: 200, headers: { ETag: entityTag(user.version, mediaType) }, body: userRecord(user) };
    },
  };

  /** What is embedded changes without the user's version, so the tag says what it was. */
  async function withOrders(
    user: User,
    headers: GetUserRequest['headers'],
    caller: Caller,
    mediaType: string | undefined,
  ) {
    const [body = userRecord(user)] = await present([user], 'orders', caller);
    const tag = entityTag(user.version, mediaType, digest(body));
    return conditional(headers['If-None-Match'], tag, body);
  }
}
