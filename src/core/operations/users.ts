/** The user operations, one user at a time, and a user in each version of the contract. */
import type { CallContext } from '@concordat/runtime';
import type { CreateUserRequest, ReplaceUserRequest } from '../../../generated/operations.js';
import type { components } from '../../../generated/openapi.js';
import { allRead, readElsewhere, withoutReadOnly, complete } from '../model/fields.js';
import { decimalOf } from '../model/product.js';
import { readFields, showing } from '../model/stored.js';
import type { User } from '../model/user.js';
import { type Caller, callerFrom } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import type { UserInput, UserPatch } from '../services/users/user-input.js';
import { mergePatch } from '../services/writes/stored-changes.js';
import { type SomeOperations, conditional, replayed, digest, entityTag, writeCondition } from './answers.js';
import { reads } from './own-fields.js';

export function userOperations({ users, ownFields }: Services, present: UserPresenter) {
  const record = showing(ownFields, 'User', userRecord);
  return {
    async createUser(
      { headers: { 'Idempotency-Key': key, ...headers }, body, ...others },
      { caller, mediaType, request },
    ) {
      allRead(headers, others);
      const { record: user, isReplay } = await users.createOnce(
        callerFrom(caller, request.address),
        userInput(body, readFields(ownFields, reads.createUser, body)),
        key,
        request.address,
      );
      const tags = { Location: `/api/users/${user.id}`, ETag: entityTag(user.version, mediaType) };
      return { status: 201, headers: { ...tags, ...replayed(isReplay) }, body: record(user) };
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
      const { caller } = context;
      const known = caller.kind === 'user' ? caller.record : undefined;
      return shown(await users.getProfile(caller, known), embed, ifNoneMatch, context);
    },

    async replaceUser({ path: { id, ...path }, headers, body, ...others }, { caller, mediaType, request }) {
      allRead(path, others);
      const values = readFields(ownFields, reads.replaceUser, body);
      const input = userInput(withoutReadOnly(body, ...readOnly), values);
      const from = callerFrom(caller, request.address);
      const user = await users.replace(from, id, input, writeCondition(headers));
      return { status: 200, headers: { ETag: entityTag(user.version, mediaType) }, body: record(user) };
    },

    async updateUser(
      { path: { id, ...path }, headers, contentType, body, ...others },
      { caller, mediaType, request },
    ) {
      allRead(path, others);
      readElsewhere({ contentType });
      const values = readFields(ownFields, reads.updateUser, body);
      const patch = userPatch(withoutReadOnly(body, ...readOnly), mergePatch(ownFields, 'User', values));
      const from = callerFrom(caller, request.address);
      const user = await users.update(from, id, patch, writeCondition(headers));
      return { status: 200, headers: { ETag: entityTag(user.version, mediaType) }, body: record(user) };
    },

    async deleteUser({ path: { id, ...path }, headers, ...others }, { caller, request }) {
      allRead(path, others);
      await users.delete(callerFrom(caller, request.address), id, writeCondition(headers));
      return { status: 204 };
    },

    async activateUser({ path: { id, ...path }, ...others }, { caller, mediaType, request }) {
      allRead(path, others);
      const user = await users.activate(callerFrom(caller, request.address), id);
      return { status: 200, headers: { ETag: entityTag(user.version, mediaType) }, body: record(user) };
    },

    async endUserSessions({ path: { id, ...path }, ...others }, { caller, request }) {
      allRead(path, others);
      await users.endSessions(callerFrom(caller, request.address), id);
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
      return conditional(ifNoneMatch, entityTag(user.version, mediaType), record(user));
    }
    const [body = record(user)] = await present([user], embed, caller);
    // Embedded orders change without the user's version, so the tag has a digest of the body.
    return conditional(ifNoneMatch, entityTag(user.version, mediaType, digest(body)), body);
  }
}

/** The read-only fields that a replacement or a patch may send back. */
const readOnly = ['id', 'createdAt', 'updatedAt', 'links', 'orders'] as const;

/** The fields of both operations, so that a new field of either must be read. */
type UserBody = CreateUserRequest['body'] & Omit<ReplaceUserRequest['body'], (typeof readOnly)[number]>;

function userInput(body: UserBody, stored: User['stored']): UserInput {
  const { name, email, password, phone, city, role, status, ...others } = body;
  allRead(others);
  return complete<UserInput>({ name, email, password, phone, city, role, status, stored });
}

function userPatch(
  body: Omit<Schemas['UserPatch'], (typeof readOnly)[number]>,
  stored: UserPatch['stored'],
): UserPatch {
  const { name, email, password, phone, city, role, status, ...others } = body;
  allRead(others);
  return complete<UserPatch>({ name, email, password, phone, city, role, status, stored });
}

type Schemas = components['schemas'];

/** Maps users to their records; the orders of all users of a page are read at once. */
export type UserPresenter = (
  users: readonly User[],
  embed: 'orders' | undefined,
  caller: Caller,
) => Promise<Schemas['User'][]>;

export function userPresenter({ orders, ownFields }: Services): UserPresenter {
  const record = showing(ownFields, 'User', userRecord);
  return async (users, embed, caller) => {
    if (embed === undefined) return users.map((user) => record(user));
    const ids = users.map(({ id }) => id);
    const summaries = await orders.summarize(caller, ids);
    return users.map((user, index) => {
      const summary = summaries[index] ?? [];
      return record(
        user,
        summary.map(({ id, totalCents }) => ({ id, total: decimalOf(totalCents) })),
      );
    });
  };
}

/** The user record with a link to the orders, or with the orders in place of the link. */
export function userRecord(user: User, orders?: Schemas['UserOrder'][]): Schemas['User'] {
  const { id, name, email, phone, city, role, status, createdAt, updatedAt } = user;
  const links = orders === undefined ? { orders: `/api/users/${id}/orders` } : undefined;
  return complete<Schemas['User']>({
    id,
    name,
    email,
    role,
    status,
    createdAt,
    updatedAt,
    phone,
    city,
    links,
    orders,
  });
}

/** A user in version 1 of the contract. */
export function userV1({ id, name, email, phone }: User): Schemas['UserV1'] {
  return complete<Schemas['UserV1']>({ id, name, email, phone });
}

/** A user in version 2 of the contract. */
export function userV2({ id, name, email, createdAt, updatedAt }: User): Schemas['UserV2'] {
  const profile = complete<Schemas['UserV2']['profile']>({ createdAt, updatedAt });
  return complete<Schemas['UserV2']>({ id, fullName: name, emailAddress: email, profile });
}
