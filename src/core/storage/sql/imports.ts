/** The imports of the SQL storages. */
import { emailKey } from '../../model/user.js';
import type {
  ImportedOrder,
  ImportedProduct,
  ImportedUser,
  ImportRefusal,
  ImportStore,
} from '../../ports/import-store.js';
import { batchesOf, piecesOf, type Batch } from './batches.js';
import { ImportQueries, type KeyRow } from './import-queries.js';
import { distinctIds } from './owners.js';
import type { SqlInteger } from './schema.js';
import type { SqlRunner } from './runner.js';
import { rowsOf, type SqlTask } from './task.js';

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
