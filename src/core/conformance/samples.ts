/** Makes the records that the checks of a storage need. */
import assert from 'node:assert/strict';
import type { Order } from '../model/order.js';
import type { Post } from '../model/post.js';
import { pick } from '../model/fields.js';
import { noUserDetails, optionalUserFields, userFields, type User } from '../model/user.js';
import { type AuditFilter, everyAuditEntry, type NewAuditEntry } from '../ports/audit-store.js';
import type { NewOrder, NewOrderItem } from '../ports/order-store.js';
import type { NewPost } from '../ports/post-store.js';
import type { Stores } from '../ports/storage.js';
import { unchangedUser, type NewUser, type UserChange } from '../ports/user-store.js';

/** Texts that are not the id of any record. */
export const oddIds = [
  '',
  '0',
  '01',
  '-1',
  '1.0',
  '1e0',
  ' 1',
  '1 ',
  'abc',
  '\u0000',
  '1\u0000',
  '１',
  'ab'.repeat(5_000),
].concat(['9'.repeat(18), '9'.repeat(19), '9'.repeat(10_000), "1' OR '1'='1", '__proto__']);

/** The first page of a list, which has all of it: checks that use it store fewer records. */
export const start = { offset: 0, limit: 100 };

/** The same page of a list without offsets. */
export const firstPage = { after: undefined, limit: 100 };

/** Values of fields of the application. */
export const storedValues = {
  ...{ text: `A "7" \\ '💡`, count: 0.5, flag: true, none: null, list: [1, { deep: ['x', null] }] },
};

/** A moment of the given second, for records whose time does not matter. */
export function at(second: number): string {
  return `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
}

/** A valid user, distinct by its number. */
export function newUser(number: number, fields: Partial<NewUser> = {}): NewUser {
  return {
    name: `User ${number}`,
    email: `user${number}@example.com`,
    ...noUserDetails,
    role: 'user',
    status: 'active',
    passwordHash: undefined,
    ...fields,
  };
}

/** A value for every optional field of a user. */
export const allDetails: Partial<NewUser> = Object.fromEntries(
  optionalUserFields.map((field) => [field, `A ${field}`]),
);

/** A change of only these fields. */
export function change(fields: Partial<UserChange>): UserChange {
  return { ...unchangedUser, ...fields };
}

/** The record of a user who was created with these fields at this time. */
export function userOf(user: NewUser, id: string, now: string): User {
  const times = { createdAt: now, updatedAt: now, sessionsFrom: undefined };
  return { ...pick(user, userFields), ...times, id, version: 1 };
}

/** Stores a user, and asserts that it is accepted. */
export async function addUser(
  storage: Pick<Stores, 'users'>,
  number: number,
  fields: Partial<NewUser> = {},
): Promise<User> {
  return taken(await storage.users.create(newUser(number, fields), at(0)));
}

/** Makes records one after the other. @param make - gets the numbers from 0 */
export async function inTurn<T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> {
  const records: T[] = [];
  for (let number = 0; number < count; number++) records.push(await make(number));
  return records;
}

/** Does something several times at once. @param work - gets the numbers from 0 */
export function atOnce<T>(count: number, work: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => work(number)));
}

/** @returns the record of the one writer of several that was not refused; fails unless all others got this word */
export function oneWinner<T>(outcomes: readonly T[], refusal: T & string): Exclude<T, string> {
  const [winner, ...others] = outcomes.filter((outcome) => outcome !== refusal);
  assert.ok(winner !== undefined, `all were refused: ${refusal}`);
  assert.deepEqual(others, [], 'one wins, and the others are refused');
  return taken(winner as T);
}

/** Stores users 1 to `count`, one after the other. */
export async function addUsers(storage: Pick<Stores, 'users'>, count: number): Promise<User[]> {
  return await inTurn(count, (number) => addUser(storage, number + 1));
}

/** The ids of new users. */
export async function addUserIds(storage: Pick<Stores, 'users'>): Promise<[string, string, string]> {
  return idsOf(await addUsers(storage, 3)) as [string, string, string];
}

/** @returns the record of an outcome; fails for a refusal */
export function taken<T>(outcome: T): Exclude<T, string> {
  assert.notEqual(typeof outcome, 'string', `refused: ${String(outcome)}`);
  return outcome as Exclude<T, string>;
}

/** Stores a post, and asserts that it is accepted. */
export async function addPost(
  storage: Pick<Stores, 'posts'>,
  authorId: string,
  now = at(0),
  fields: Partial<NewPost> = {},
): Promise<Post> {
  const post = { title: 'Title', content: 'Content', authorId, ...fields };
  return taken(await storage.posts.create(post, now));
}

/** An item without a product. */
export function newItem(fields: Partial<NewOrderItem> = {}): NewOrderItem {
  return { productId: undefined, name: 'Item', quantity: 1, unitPriceCents: 1999, ...fields };
}

/** An order of one item that costs this much. */
export function newOrder(userId: string, cents = 1999): NewOrder {
  return { userId, items: [newItem({ unitPriceCents: cents })], totalCents: cents };
}

/** Stores an order, and asserts that it is accepted. */
export async function addOrder(
  storage: Pick<Stores, 'orders'>,
  userId: string,
  fields: Partial<NewOrder> = {},
): Promise<Order> {
  return taken(await storage.orders.create({ ...newOrder(userId), ...fields }, at(0)));
}

/** Stores a user with an order. */
export async function addUserWithOrder(
  storage: Pick<Stores, 'users' | 'orders'>,
): Promise<{ userId: string; order: Order }> {
  const { id: userId } = await addUser(storage, 1);
  return { userId, order: await addOrder(storage, userId) };
}

/** An entry of what one user did in the given second. */
export function auditEntry(second: number, fields: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    at: at(second),
    actor: 'user:1',
    action: 'users.delete',
    target: undefined,
    address: undefined,
    outcome: 'done',
    detail: undefined,
    ...fields,
  };
}

export async function entriesIn({ audit }: Pick<Stores, 'audit'>, filter: Partial<AuditFilter> = {}) {
  return await audit.list({ ...everyAuditEntry, ...filter }, { after: undefined, limit: 100 });
}

/** The condition that an order is pending, in any version. */
export const pending = { status: 'pending', version: undefined } as const;
export const processing = { status: 'processing', version: undefined } as const;

export const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
