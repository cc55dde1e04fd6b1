/** The tables of a memory storage, and how their methods become stores. */

import type { AuditEntry } from '../../model/audit.js';
import type { ApiKey } from '../../model/credentials.js';
import type { Id } from '../../model/id.js';
import type { Comment, Order } from '../../model/order.js';
import type { Post } from '../../model/post.js';
import type { Category, Product } from '../../model/product.js';
import { type KeptFields, type RecordName, hasStored, type StoredValues } from '../../model/stored.js';
import { emailKey, type User } from '../../model/user.js';
import type { Slice } from '../../model/page.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { Delivery, Receiver } from '../../model/webhook.js';
import type { RefreshToken } from '../../ports/credential-store.js';
import { Journal, JournalMap } from './journal.js';

/** An API key with its hash and owner, which are not part of the model. */
interface ApiKeyRow {
  readonly id: Id;
  readonly apiKey: ApiKey;
  readonly hash: string;
  readonly ownerId: Id | undefined;
}

/** All tables. The stores share them, because deleting a user or an order affects several tables. */
export class MemoryTables {
  constructor(readonly fields: KeptFields = {}) {}

  readonly journal = new Journal();
  readonly users = new Table<User>(this.journal);
  readonly posts = new Table<Post>(this.journal);
  readonly orders = new Table<Order>(this.journal);
  readonly comments = new Table<Comment>(this.journal);
  /** By hash. */
  readonly refreshTokens = new JournalMap<string, RefreshTokenRow>(this.journal);
  readonly apiKeys = new Table<ApiKeyRow>(this.journal);
  readonly audit = new Table<AuditEntry>(this.journal);
  readonly receivers = new Table<Receiver>(this.journal);
  readonly deliveries = new Table<Delivery>(this.journal);
  readonly products = new Table<Product>(this.journal);
  readonly categoriesByName = new JournalMap<string, Category>(this.journal);
  /** By the id of the product; ascending by id. */
  readonly categoriesByProduct = new JournalMap<Id, readonly Category[]>(this.journal);
  lastItemId = 0;

  /** By `emailKey`. */
  readonly userIdsByEmail = new JournalMap<string, Id>(this.journal);
  readonly passwordHashes = new JournalMap<Id, string>(this.journal);
  /** By the identity's key. The entry of a deleted user stays and leads to no user. */
  readonly userIdsByIdentity = new JournalMap<string, Id>(this.journal);

  readonly postsByAuthor = this.posts.index((post) => post.authorId);
  readonly ordersByUser = this.orders.index((order) => order.userId);
  readonly commentsByUser = this.comments.index((comment) => comment.userId);
  readonly apiKeysByOwner = this.apiKeys.index(({ ownerId }) => ownerId ?? '');
  readonly deliveriesTo = this.deliveries.index(({ receiverId }) => receiverId);
  /** By `pending` and the id of the receiver, so that those that are delivered take no time. */
  readonly deliveriesOf = this.deliveries.index(({ status, receiverId }) => `${status} ${receiverId}`);
  readonly commentsByOrder = this.comments.index((comment) => comment.orderId);

  /** A test for the records with these values, and that pass another; undefined if all records do. */
  testOf<Row extends { readonly stored?: StoredValues | undefined }>(
    name: RecordName,
    filter: StoredValues | undefined,
    passes?: (row: Row) => boolean,
  ): ((row: Row) => boolean) | undefined {
    if (filter === undefined) return passes;
    return (row) => hasStored(row, filter, this.fields[name]) && (passes?.(row) ?? true);
  }

  /** Deletes a user with their posts, comments, API keys and refresh tokens. */
  deleteUser({ id, email }: User): void {
    for (const post of this.postsByAuthor.get(id)?.all() ?? []) this.posts.delete(post.id);
    for (const comment of this.commentsByUser.get(id)?.all() ?? []) this.comments.delete(comment.id);
    for (const apiKey of this.apiKeysByOwner.get(id)?.all() ?? []) this.apiKeys.delete(apiKey.id);
    this.deleteTokens(({ userId }) => userId === id);
    this.users.delete(id);
    this.userIdsByEmail.delete(emailKey(email));
    this.passwordHashes.delete(id);
  }

  deleteTokens(isDeleted: (row: RefreshTokenRow) => boolean): void {
    for (const row of this.refreshTokens.values()) if (isDeleted(row)) this.refreshTokens.delete(row.hash);
  }

  /** Deletes an order with its comments. */
  deleteOrder(id: Id): void {
    for (const comment of this.commentsByOrder.get(id)?.all() ?? []) this.comments.delete(comment.id);
    this.orders.delete(id);
  }
}

/** The methods of a store without their promises: nothing is awaited in them, so each is atomic. */
export type AtOnce<Store> = {
  readonly [Method in keyof Store]: Store[Method] extends (...given: infer Given) => Promise<infer Outcome>
    ? (...given: Given) => Outcome
    : never;
};

export function asyncStoreOf(journal: Journal, methods: object): object {
  const answering = Object.entries(methods as Record<string, (...given: unknown[]) => unknown>).map(
    ([name, method]) => [
      name,
      // A function that holds the arguments would slow down all calls.
      (...given: unknown[]) =>
        journal.isOpen ? journal.call(method.bind(undefined, ...given)) : Promise.resolve(method(...given)),
    ],
  );
  return Object.fromEntries(answering) as object;
}

const everyRow = (): boolean => true;

/**
 * Records in the order of their ids, found by id in constant time and by position in logarithmic time. Ids count up from 1 and stay
 * far below `Number.MAX_SAFE_INTEGER`.
 */
class Table<Row extends { readonly id: Id }> {
  readonly #byId = new Map<Id, Row>();
  /** Ascending by id; `#keys` holds the same ids as numbers. */
  readonly #rows: Row[] = [];
  readonly #keys: number[] = [];
  readonly #indexes: Index<Row>[] = [];
  #lastId = 0;

  /** @param journal - undefined for the table of a group, which changes with the whole one */
  constructor(private readonly journal?: Journal) {}

  /** Adds an index that groups the rows by owner. Call it while the table is empty. */
  index(groupOf: (row: Row) => Id): Index<Row> {
    const index = new Index(groupOf);
    this.#indexes.push(index);
    return index;
  }

  /** Accepts any text; only the id of a stored row finds one. */
  get(id: string): Row | undefined {
    return this.#byId.get(id);
  }

  /** @returns an id that was never used before */
  nextId(): Id {
    return String(++this.#lastId);
  }

  /** Adds a row whose id is greater than that of every row added before. */
  add(row: Row): void {
    if (this.journal?.isOpen) this.journal.note(() => this.delete(row.id));
    this.#byId.set(row.id, row);
    this.#rows.push(row);
    this.#keys.push(Number(row.id));
    for (const index of this.#indexes) index.of(row).add(row);
  }

  /** Adds a row with the id of an earlier one. */
  #restore(row: Row): void {
    const position = this.#firstFrom(Number(row.id));
    this.#byId.set(row.id, row);
    this.#rows.splice(position, 0, row);
    this.#keys.splice(position, 0, Number(row.id));
    for (const index of this.#indexes) index.of(row).#restore(row);
  }

  /** Replaces the stored row with the same id. */
  replace(row: Row): void {
    const old = this.#byId.get(row.id) ?? row;
    if (this.journal?.isOpen) this.journal.note(() => this.replace(old));
    this.#byId.set(row.id, row);
    this.#rows[this.#firstFrom(Number(row.id))] = row;
    for (const index of this.#indexes) {
      const group = index.of(row);
      if (group === index.of(old)) group.replace(row);
      else {
        index.delete(old);
        group.#restore(row);
      }
    }
  }

  delete(id: Id): void {
    const row = this.#byId.get(id);
    if (row === undefined) return;
    if (this.journal?.isOpen) this.journal.note(() => this.#restore(row));
    this.#byId.delete(id);
    for (const index of this.#indexes) index.delete(row);
    const position = this.#firstFrom(Number(id));
    this.#rows.splice(position, 1);
    this.#keys.splice(position, 1);
  }

  /** Ascending by id; without a test, the cost depends only on the number of rows returned. */
  slice(slice: Slice, test?: (row: Row) => boolean): Row[] {
    const start = 'after' in slice ? this.#firstFrom(Number(slice.after ?? 0) + 1) : 0;
    const skip = 'offset' in slice ? slice.offset : 0;
    if (test === undefined) return this.#rows.slice(start + skip, start + skip + slice.limit);
    return this.#passing(test, start, 1, skip + slice.limit).slice(skip);
  }

  /** The first rows that pass, from a position on. @param step - 1 for ascending, -1 for descending ids */
  #passing(test: (row: Row) => boolean, start: number, step: 1 | -1, limit: number): Row[] {
    const found: Row[] = [];
    for (let position = start; found.length < limit; position += step) {
      const row = this.#rows[position];
      if (row === undefined) break;
      if (test(row)) found.push(row);
    }
    return found;
  }

  /** A copy of the rows, ascending by id. */
  all(): Row[] {
    return this.#rows.slice();
  }

  /** Descending by id, from the row before an id, or from the last: those that pass the test. */
  sliceBefore(before: Id | undefined, limit: number, test: (row: Row) => boolean = everyRow): Row[] {
    const end = before === undefined ? this.#rows.length : this.#firstFrom(Number(before));
    return this.#passing(test, end - 1, -1, limit);
  }

  /**
   * Ascending by id: those that pass the test.
   *
   * @param begins - whether a row is the first one or later than it
   */
  sliceFrom(begins: (row: Row) => boolean, limit: number, test: (row: Row) => boolean = everyRow): Row[] {
    return this.#passing(test, bisect(this.#rows, begins), 1, limit);
  }

  /** The number of rows, or of those that pass the test. */
  count(test?: (row: Row) => boolean): number {
    if (test === undefined) return this.#rows.length;
    let count = 0;
    for (const row of this.#rows) if (test(row)) count++;
    return count;
  }

  /** @returns the position of the first row whose id is not less than the key */
  #firstFrom(key: number): number {
    return bisect(this.#keys, (candidate) => candidate >= key);
  }
}

/** The rows of a table in groups, such as the posts of each author. */
class Index<Row extends { readonly id: Id }> {
  readonly #groups = new Map<Id, Table<Row>>();

  constructor(private readonly groupOf: (row: Row) => Id) {}

  /** The rows of a group; undefined when there are none. */
  get(group: string): Table<Row> | undefined {
    return this.#groups.get(group);
  }

  /** The table of the group that a row is in. */
  of(row: Row): Table<Row> {
    const group = this.groupOf(row);
    let table = this.#groups.get(group);
    if (table === undefined) this.#groups.set(group, (table = new Table()));
    return table;
  }

  delete(row: Row): void {
    const table = this.of(row);
    table.delete(row.id);
    if (table.count() === 0) this.#groups.delete(this.groupOf(row));
  }
}

/** @returns the position of the first item that passes the test, given that all later items pass it too. */
function bisect<T>(items: readonly T[], test: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T))
      high = middle; // within bounds: low <= middle < high
    else low = middle + 1;
  }
  return low;
}

interface RefreshTokenRow extends RefreshToken {
  /** The hash of the first token of the family. */
  readonly family: string;
}

/** The rows to delete, oldest first; stores are asked for them once a minute. */
export function oldestExpired<Row extends { readonly expiresAt: Timestamp }>(
  rows: Iterable<Row>,
  isExpired: (row: Row) => boolean,
  limit: number,
): readonly Row[] {
  const expired = [...rows].filter(isExpired);
  return expired.sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1)).slice(0, limit);
}
