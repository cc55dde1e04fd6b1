/** The imports of the SQL storages. */
import { emailKey } from '../../model/user.js';
import type {
  ImportedOrder,
  ImportedProduct,
  ImportedUser,
  ImportRefusal,
  ImportStore,
} from '../../ports/import-store.js';
import { distinctIds } from './query/owners.js';
import type { SqlInteger } from './query/schema.js';
import type { SqlRunner } from './query/runner.js';
import { rowsOf, type SqlTask } from './query/task.js';
import type { Compilable } from 'kysely';
import type { Id } from '../../model/id.js';
import type { NewOrderItem } from '../../ports/order-store.js';
import { itemValues } from './order-rows.js';
import { productValues, type CategoryRow } from './products.js';
import { userValues } from './user-row.js';

interface KeyRow {
  readonly id: SqlInteger;
}

/** An item with its id and the id of its order. */
interface PlacedItem extends NewOrderItem {
  readonly orderId: Id;
  readonly id: Id;
}

class ImportQueries {
  readonly #builder: SqlRunner['builder'];
  readonly #dialect: SqlRunner['dialect'];

  constructor({ builder, dialect }: SqlRunner) {
    this.#builder = builder;
    this.#dialect = dialect;
  }

  /** Returns no row for a user whose email is taken by a stored user or by an earlier one in the list. */
  insertUsers(users: readonly ImportedUser[]): Compilable<{ readonly email_key: string }> {
    return this.#builder
      .insertInto('users')
      .values(users.map((user) => userValues(user, user.createdAt, user.updatedAt)))
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning('email_key');
  }

  insertProducts(products: readonly ImportedProduct[]): Compilable<KeyRow> {
    return this.#builder.insertInto('products').values(products.map(productValues)).returning('id');
  }

  /** @param names sorted, so that two writers of the same new names cannot deadlock */
  addCategories(names: readonly string[]): Compilable<object> {
    return this.#builder
      .insertInto('categories')
      .values(names.map((name) => ({ name })))
      .onConflict((conflict) => conflict.column('name').doNothing());
  }

  categories(names: readonly string[]): Compilable<CategoryRow> {
    return this.#builder.selectFrom('categories').select(['id', 'name']).where('name', 'in', names);
  }

  insertCategoryEntries(
    entries: readonly { product_id: SqlInteger; category_id: SqlInteger }[],
  ): Compilable<object> {
    return this.#builder.insertInto('product_categories').values(entries);
  }

  users(ids: readonly Id[]): Compilable<KeyRow> {
    return this.#builder.selectFrom('users').select('id').where('id', 'in', this.#dialect.idList(ids));
  }

  insertOrders(orders: readonly ImportedOrder[]): Compilable<KeyRow> {
    return this.#builder
      .insertInto('orders')
      .values(
        orders.map(({ userId, status, totalCents, items, createdAt, updatedAt }) => ({
          user_id: userId,
          status,
          total_cents: totalCents,
          last_item_id: items.length,
          created_at: createdAt,
          updated_at: updatedAt,
        })),
      )
      .returning('id');
  }

  insertItems(items: readonly PlacedItem[]): Compilable<object> {
    return this.#builder
      .insertInto('order_items')
      .values(items.map(({ orderId, ...item }) => itemValues(orderId, item)));
  }
}

/** A few consecutive records, and how many came before them. */
interface Batch<T> {
  readonly records: readonly T[];
  readonly position: number;
}

/** @param size - the maximum number of records in a batch */
export async function* batchesOf<T>(records: AsyncIterable<T>, size: number): AsyncGenerator<Batch<T>> {
  let position = 0;
  let batch: T[] = [];
  for await (const record of records) {
    if (batch.push(record) < size) continue;
    yield { records: batch, position };
    position += batch.length;
    batch = [];
  }
  if (batch.length > 0) yield { records: batch, position };
}

/** Splits a list into pieces of at most this size. */
function* piecesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** Enough that round trips cost little; the parameters stay far below the limit of a query (SQLite: 32,766). */
const batchSize = 200;
const pieceSize = 1_000;

export class SqlImports implements ImportStore {
  readonly #runner: SqlRunner;
  readonly #queries: ImportQueries;

  constructor(runner: SqlRunner) {
    this.#runner = runner;
    this.#queries = new ImportQueries(runner);
  }

  users(users: AsyncIterable<ImportedUser>): Promise<number | ImportRefusal<'email-taken'>> {
    return this.#import(users, (batch) => this.#addUsers(batch));
  }

  *#addUsers({ records, position }: Batch<ImportedUser>): SqlTask<ImportRefusal<'email-taken'> | undefined> {
    const rows = yield* rowsOf(this.#queries.insertUsers(records));
    if (rows.length === records.length) return undefined;
    const free = new Set(rows.map((row) => row.email_key));
    const first = records.findIndex(({ email }) => !free.delete(emailKey(email)));
    return { position: position + first, reason: 'email-taken' };
  }

  products(products: AsyncIterable<ImportedProduct>): Promise<number> {
    return this.#import<ImportedProduct, never>(products, (batch) => this.#addProducts(batch));
  }

  *#addProducts({ records }: Batch<ImportedProduct>): SqlTask<undefined> {
    const ids = ascending(yield* rowsOf(this.#queries.insertProducts(records)));
    const names = [...new Set(records.flatMap(({ categories }) => categories))].sort();
    const idsByName = new Map<string, SqlInteger>();
    for (const piece of piecesOf(names, pieceSize)) {
      yield* rowsOf(this.#queries.addCategories(piece));
      for (const { id, name } of yield* rowsOf(this.#queries.categories(piece))) idsByName.set(name, id);
    }
    const entries = records.flatMap(({ categories }, index) =>
      categories.map((name) => ({
        product_id: ids[index] ?? '', // each record has stored one product
        category_id: idsByName.get(name) ?? '', // each name has a category by now
      })),
    );
    for (const piece of piecesOf(entries, pieceSize))
      yield* rowsOf(this.#queries.insertCategoryEntries(piece));
    return undefined;
  }

  orders(orders: AsyncIterable<ImportedOrder>): Promise<number | ImportRefusal<'user-not-found'>> {
    return this.#import(orders, (batch) => this.#addOrders(batch));
  }

  *#addOrders({
    records,
    position,
  }: Batch<ImportedOrder>): SqlTask<ImportRefusal<'user-not-found'> | undefined> {
    const users = distinctIds(records.map(({ userId }) => userId));
    const known = new Set((yield* rowsOf(this.#queries.users(users))).map(({ id }) => String(id)));
    const first = records.findIndex(({ userId }) => !known.has(userId));
    if (first >= 0) return { position: position + first, reason: 'user-not-found' };
    const ids = ascending(yield* rowsOf(this.#queries.insertOrders(records)));
    const items = records.flatMap((order, index) =>
      order.items.map((item, place) => ({ ...item, orderId: ids[index] ?? '', id: String(place + 1) })),
    );
    for (const piece of piecesOf(items, pieceSize)) yield* rowsOf(this.#queries.insertItems(piece));
    return undefined;
  }

  async #import<T, Refusal>(
    records: AsyncIterable<T>,
    add: (batch: Batch<T>) => SqlTask<Refusal | undefined>,
  ): Promise<number | Refusal> {
    let count = 0;
    async function* tasks() {
      for await (const batch of batchesOf(records, batchSize)) {
        count += batch.records.length;
        yield () => add(batch);
      }
    }
    return (await this.#runner.runAllAtomically(tasks())) ?? count;
  }
}

/** Both databases assign the ids of one insert in the order of its rows, but may return them in any order. */
function ascending(rows: readonly KeyRow[]): readonly string[] {
  return rows
    .map(({ id }) => BigInt(id))
    .sort((a, b) => (a < b ? -1 : 1))
    .map(String);
}
