/** The user operations: one user at a time. */

import type { CreateUserRequest, ReplaceUserRequest } from '../../../generated/operations.js';
import type { CallContext } from 'concordat';
import { allRead, withoutReadOnly } from '../model/fields.js';
import type { User } from '../model/user.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import type { UserInput } from '../services/users.js';
import { type SomeOperations, conditional, replayed } from './answers.js';
import { digest, entityTag, writeCondition } from './etag.js';
import { type UserPresenter, userRecord } from './user-records.js';

export function userOperations({ users }: Services, present: UserPresenter) {
  return {
    async createUser(
      { headers: { 'Idempotency-Key': key, ...headers }, body, ...others },
      { caller, mediaType, request },
    ) {
      allRead(headers, others);
      const { record: user, isReplay } = await users.createOnce(
        caller,
        userInput(body),
        key,
        request.address,
      );
      const tags = { Location: `/api/users/${user.id}`, ETag: entityTag(user.version, mediaType) };
      return { status: 201, headers: { ...tags, ...replayed(isReplay) }, body: userRecord(user) };
    },

    async getUser(
      {
        path: { id, ...path },
        query: { embed, ...query },
        headers: { 'If-None-Match': ifNoneMatch, ...headers },
        ...others
      },
      context,
    ) {
      allRead(path, query, headers, others);
      return shown(await users.get(context.caller, id), embed, ifNoneMatch, context);
    },

    async getProfile(
      { query: { embed, ...query }, headers: { 'If-None-Match': ifNoneMatch, ...headers }, ...others },
      context,
    ) {
      allRead(query, headers, others);
      return shown(await users.getProfile(context.caller), embed, ifNoneMatch, context);
    },

    async replaceUser(
      { path: { id, ...path }, headers: { 'If-Match': ifMatch, ...headers }, body, ...others },
      { caller, mediaType },
    ) {
      allRead(path, headers, others);
      const input = userInput(withoutReadOnly(body, ...readOnly));
      const user = await users.replace(caller, id, input, writeCondition(ifMatch));
      return { status: 200, headers: { ETag: entityTag(user.version, mediaType) }, body: userRecord(user) };
    },

    async deleteUser(
      { path: { id, ...path }, headers: { 'If-Match': ifMatch, ...headers }, ...others },
      { caller },
    ) {
      allRead(path, headers, others);
      await users.delete(caller, id, writeCondition(ifMatch));
      return { status: 204 };
    },

    async activateUser({ path: { id, ...path }, ...others }, { caller, mediaType }) {
      allRead(path, others);
      const user = await users.activate(caller, id);
      return { status: 200, headers: { ETag: entityTag(user.version, mediaType) }, body: userRecord(user) };
    },

    async endUserSessions({ path: { id, ...path }, ...others }, { caller }) {
      allRead(path, others);
      await users.endSessions(caller, id);
      return { status: 204 };
    },
  } satisfies SomeOperations;

  async function shown(
    user: User,
    embed: 'orders' | undefined,
    ifNoneMatch: string | undefined,
    { caller, mediaType }: CallContext<Caller>,
  ) {
    if (embed === undefined) {
      return conditional(ifNoneMatch, entityTag(user.version, mediaType), userRecord(user));
    }
    const [body = userRecord(user)] = await present([user], embed, caller);
    // Embedded orders change without the user's version, so the tag has a digest of the body.
    return conditional(ifNoneMatch, entityTag(user.version, mediaType, digest(body)), body);
  }
}

/** What a replacement may have because it was read. */
const readOnly = ['id', 'createdAt', 'updatedAt', 'links', 'orders'] as const;

/** The fields of both operations, so that a new field of either must be read. */
type UserFields = CreateUserRequest['body'] & Omit<ReplaceUserRequest['body'], (typeof readOnly)[number]>;

function userInput(body: UserFields): UserInput {
  const { name, email, password, phone, city, role, status, ...others } = body;
  allRead(others);
  return { name, email, password, phone, city, role, status };
}
