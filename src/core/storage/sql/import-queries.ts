/** The queries that write many records at once. */
import type { Compilable } from 'kysely';
import type { Id } from '../../model/id.js';
import type { ImportedOrder, ImportedProduct, ImportedUser } from '../../ports/import-store.js';
import type { NewOrderItem } from '../../ports/order-store.js';
import { itemValues } from './order-rows.js';
import { productValues, type CategoryRow } from './product-rows.js';
import type { SqlInteger } from './schema.js';
import type { SqlRunner } from './runner.js';
import { userValues } from './user-row.js';

export interface KeyRow {
  readonly id: SqlInteger;
}

/** An item with its id and the id of its order. */
export interface PlacedItem extends NewOrderItem {
  readonly orderId: Id;
  readonly id: Id;
}

export class ImportQueries {
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
