/** The imports of the SQL storages that keep the ids of another store. */
import { compareIds, type Id } from '../../model/id.js';
import type { ImportEntry, ImportStore } from '../../ports/import-store.js';
import { batchesOf } from './imports.js';
import { itemValues } from './orders.js';
import { insertedOf } from './query/columns.js';
import { orderColumns, productColumns } from './query/schema.js';
import type { StoreRows, TableRow } from './sql-storage.js';
import { userValues } from './users.js';

/** @returns imports of records with ids, which none of the stored records may have */
export function keptImports(rows: StoreRows): ImportStore {
  function store<T>(
    records: AsyncIterable<T>,
    rowsOf: (record: T) => readonly Omit<TableRow, 'position'>[],
    entryOf: ImportEntry | undefined,
  ) {
    let count = 0;
    async function* all(): AsyncGenerator<TableRow> {
      for await (const batch of batchesOf(records)) {
        const made = batch.flatMap((record, index) =>
          rowsOf(record).map((row) => ({ ...row, position: count + index })),
        );
        count += batch.length;
        // The rows of one table together, the record's own first.
        for (const table of new Set(made.map((each) => each.table)))
          yield* made.filter((each) => each.table === table);
      }
    }
    const written = rows.write(all(), entryOf && (() => entryOf(count)));
    return written.then((outcome) => (typeof outcome === 'number' ? count : outcome));
  }

  return {
    users: (users, entryOf) => store(users, (user) => [{ table: 'users', row: userValues(user) }], entryOf),

    products: (products, entryOf) =>
      store(
        products,
        ({ categories, ...product }) => [
          { table: 'products', row: insertedOf(productColumns, product) },
          ...categories.map((category) => ({
            table: 'product_categories',
            row: { product_id: product.id, category },
          })),
        ],
        entryOf,
      ),

    orders: (orders, entryOf) =>
      store(
        orders,
        ({ items, ...order }) => {
          const ids = items.map((item, place): Id => item.id ?? String(place + 1));
          const last = ids.reduce((one, other) => (compareIds(one, other) > 0 ? one : other), '0');
          return [
            { table: 'orders', row: { ...insertedOf(orderColumns, order), last_item_id: last } },
            ...items.map((item, place) => ({
              table: 'order_items',
              row: itemValues(order.id ?? '', { ...item, id: ids[place] ?? '' }),
            })),
          ];
        },
        entryOf,
      ),
  } as ImportStore; // rows are refused for the same reasons
}
