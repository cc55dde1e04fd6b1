/** Makes the records that the checks of a storage need. */
import assert from 'node:assert/strict';
import type { Order } from '../model/order.js';
import type { Slice } from '../model/page.js';
import type { Post } from '../model/post.js';
import { pick } from '../model/fields.js';
import { noUserDetails, optionalUserFields, userFields, type User } from '../model/user.js';
import { type AuditFilter, everyAuditEntry, type NewAuditEntry } from '../ports/audit-store.js';
import type { NewOrder, NewOrderItem } from '../ports/order-store.js';
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

/** The given fields that a user record shows. */
export function shownFields(user: NewUser): Omit<NewUser, 'passwordHash'> {
  return pick(user, userFields);
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

/** The records among the outcomes of several writers. */
export function winners<T>(outcomes: readonly T[]): Exclude<T, string>[] {
  return outcomes.filter((outcome): outcome is Exclude<T, string> => typeof outcome !== 'string');
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

/** Reads a whole collection in pages. */
export async function readAll<T extends { readonly id: string }>(
  read: (slice: { after: string | undefined; limit: number }) => Promise<readonly T[]>,
  limit: number,
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await read({ after: all.at(-1)?.id, limit });
    assert.ok(page.length <= limit, `a page of ${limit} has ${page.length} rows`);
    all.push(...page);
    assert.equal(new Set(idsOf(all)).size, all.length, 'no row twice');
    if (page.length < limit) return all;
  }
}

/** Asserts that a list and its count have exactly these records, in every kind of slice. */
export async function listsOnly<T extends { readonly id: string }>(
  expected: readonly T[],
  list: (slice: Slice) => Promise<readonly T[]>,
  count: () => Promise<number>,
): Promise<void> {
  assert.deepEqual(await list(start), expected);
  assert.deepEqual(await list({ offset: 1, limit: 2 }), expected.slice(1, 3));
  assert.deepEqual(await readAll(list, 2), expected);
  assert.equal(await count(), expected.length);
}

/** Stores a post, and asserts that it is accepted. */
export async function addPost(storage: Pick<Stores, 'posts'>, authorId: string, now = at(0)): Promise<Post> {
  return taken(await storage.posts.create({ title: 'Title', content: 'Content', authorId }, now));
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
  cents?: number,
): Promise<Order> {
  return taken(await storage.orders.create(newOrder(userId, cents), at(0)));
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

/** Ids in the order of their numbers. */
export function ascending(ids: readonly string[]): string[] {
  return ids.toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
}

export const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
