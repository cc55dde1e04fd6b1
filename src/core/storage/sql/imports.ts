/** The imports of the SQL storages. */
import type { Id } from '../../model/id.js';
import { emailKey } from '../../model/user.js';
import type { NewAuditEntry } from '../../ports/audit-store.js';
import type { ImportedProduct, ImportEntry, ImportStore } from '../../ports/import-store.js';
import { addEntries } from './audit.js';
import { itemValues } from './orders.js';
import { addCategories } from './products.js';
import { distinctIds } from './query/clauses.js';
import { insertedOf } from './query/columns.js';
import type { Query } from './query/query.js';
import type { ImportedTable, SqlRunner } from './query/runner.js';
import { orderColumns, productColumns } from './query/schema.js';
import { type SqlInteger, rowsOf, type SqlTask } from './query/task.js';
import { userValues } from './users.js';

/** Enough that round trips cost little; the parameters stay far below the limit of a query (SQLite: 32,766). */
const batchSize = 200;
const pieceSize = 1_000;

export function sqlImports(runner: SqlRunner): ImportStore {
  const { builder, dialect } = runner;

  /** @param add - stores a batch, or returns the refusal of one of its records; `position` is that of its first record */
  async function importAll<T, Refusal = never>(
    table: ImportedTable,
    records: AsyncIterable<T>,
    entryOf: ImportEntry | undefined,
    add: (batch: readonly T[], position: number) => SqlTask<Refusal | undefined>,
  ): Promise<number | Refusal> {
    let count = 0;
    const counting = dialect.countsImport?.(table);
    async function* tasks() {
      if (counting) yield () => asking(counting.begin);
      for await (const batch of batchesOf(records)) {
        const position = count;
        count += batch.length;
        yield () => add(batch, position);
      }
      if (counting) yield () => asking(counting.end);
      if (entryOf) yield () => recording(runner, entryOf(count));
    }
    return (await runner.runAllAtomically(tasks())) ?? count;
  }

  return {
    users: (users, entryOf) =>
      importAll('users', users, entryOf, function* (batch, position) {
        const rows = yield* rowsOf(
          builder
            .insertInto('users')
            .values(batch.map(userValues))
            .onConflict((conflict) => conflict.column('email_key').doNothing())
            .returning('email_key'),
        );
        if (rows.length === batch.length) return undefined;
        // No row is returned for a user whose email is taken by a stored user or by an earlier one in the list.
        const free = new Set(rows.map((row) => row.email_key));
        const first = batch.findIndex(({ email }) => !free.delete(emailKey(email)));
        return { position: position + first, reason: 'email-taken' as const };
      }),

    products: (products, entryOf) =>
      importAll<ImportedProduct>('products', products, entryOf, function* (batch) {
        const insertion = builder
          .insertInto('products')
          .values(batch.map((product) => insertedOf(productColumns, product)))
          .returning('id');
        const ids = ascending(yield* rowsOf(insertion));
        const names = [...new Set(batch.flatMap(({ categories }) => categories))].sort();
        const idsByName = new Map<string, SqlInteger>();
        for (const piece of piecesOf(names)) {
          yield* addCategories(builder, piece);
          const found = builder.selectFrom('categories').select(['id', 'name']).where('name', 'in', piece);
          for (const { id, name } of yield* rowsOf(found)) idsByName.set(name, id);
        }
        const entries = batch.flatMap(({ categories }, index) =>
          categories.map((name) => ({
            product_id: ids[index] ?? '', // each record has stored one product
            category_id: idsByName.get(name) ?? '', // each name has a category by now
          })),
        );
        for (const piece of piecesOf(entries)) {
          yield* rowsOf(builder.insertInto('product_categories').values(piece));
        }
        return undefined;
      }),

    orders: (orders, entryOf) =>
      importAll('orders', orders, entryOf, function* (batch, position) {
        const users = dialect.idList(distinctIds(batch.map(({ userId }) => userId)));
        const found = yield* rowsOf(builder.selectFrom('users').select('id').where('id', 'in', users));
        const known = new Set(found.map(({ id }) => String(id)));
        const first = batch.findIndex(({ userId }) => !known.has(userId));
        if (first >= 0) return { position: position + first, reason: 'user-not-found' as const };
        const values = batch.map((order) => ({
          ...insertedOf(orderColumns, order),
          last_item_id: order.items.length,
        }));
        const ids = ascending(yield* rowsOf(builder.insertInto('orders').values(values).returning('id')));
        const rows = batch.flatMap(({ items }, index) =>
          items.map((item, place) => itemValues(ids[index] ?? '', { ...item, id: String(place + 1) })),
        );
        for (const piece of piecesOf(rows)) yield* rowsOf(builder.insertInto('order_items').values(piece));
        return undefined;
      }),
  };
}

function* asking(query: Query): SqlTask<undefined> {
  yield query;
  return undefined;
}

function* recording(runner: SqlRunner, entry: NewAuditEntry): SqlTask<undefined> {
  yield* addEntries(runner, [entry]);
  return undefined;
}

/** @param kindOf - a batch has records of one kind only */
export async function* batchesOf<T>(
  records: AsyncIterable<T>,
  kindOf: (record: T) => string = () => '',
): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const record of records) {
    if (batch[0] !== undefined && kindOf(batch[0]) !== kindOf(record)) {
      yield batch;
      batch = [];
    }
    if (batch.push(record) < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function* piecesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += pieceSize) yield list.slice(start, start + pieceSize);
}

/** Both databases assign the ids of one insert in the order of its rows, but may return them in any order. */
function ascending(rows: readonly { readonly id: SqlInteger }[]): readonly Id[] {
  return rows
    .map(({ id }) => BigInt(id))
    .sort((a, b) => (a < b ? -1 : 1))
    .map(String);
}
