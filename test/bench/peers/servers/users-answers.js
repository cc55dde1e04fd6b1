/** What the peers answer about users, with the same status, headers and body as the contract says; frameworks only send it. */

import { isService } from './listen.js';
import { vary as varyOfService } from './service/settings.js';
import { createUser, etagOf, findUser, lenient, pageOf, recordOf } from './users.js';

const Vary = isService ? varyOfService : 'Accept';

/** An answer's status, the headers beside `Content-Type`, and the body to write as JSON. */
const failure = (status, error) => ({ status, headers: { Vary }, body: { error } });

export function readUser(id) {
  return found(findUser(id));
}

export function listUsers({ page, limit }) {
  return listed(pageOf(lenient(page, 1), lenient(limit, 10, 100)));
}

export function addUser(input) {
  return refusalOf(input) ?? added(createUser(input));
}

export function found(user) {
  if (user === undefined) return failure(404, 'User not found');
  return { status: 200, headers: { ETag: etagOf(user), Vary }, body: recordOf(user) };
}

/** @param page - the body */
export function listed(page) {
  const headers = { 'X-API-Supported-Versions': '1, 2', Vary: 'Accept, X-API-Version' };
  return { status: 200, headers, body: page };
}

/** The answer to an input that only an admin may give: nobody is signed in. */
export function refusalOf({ role, status }) {
  return role !== undefined || status !== undefined ? failure(401, 'Not authenticated') : undefined;
}

/** @param user - undefined when another user has the email */
export function added(user) {
  if (user === undefined) return failure(409, 'Email already in use');
  const headers = { Location: `/api/users/${user.id}`, ETag: etagOf(user), Vary };
  return { status: 201, headers, body: recordOf(user) };
}
