/** The kinds of records that can be exported, with the fields that an import accepts. */

import {
  type AfterSlice,
  type Order,
  type Storage,
  type User,
  decimalOf,
  everyOrder,
  everyUser,
} from '@concordat/core';
import {
  type Column,
  type Columns,
  type ExportedOrder,
  orderColumns,
  postColumns,
  productColumns,
  userColumns,
} from './columns.js';

export type Fields = Readonly<Record<string, unknown>>;

export interface ExportKind {
  readonly columns: readonly Column[];
  /** Reads a slice of the records, ascending by id; each has an `id`. */
  readonly read: (storage: Storage, slice: AfterSlice) => Promise<readonly Fields[]>;
}

export const exportKinds = {
  users: {
    columns: userColumns,
    read: async ({ users }, slice) =>
      (await users.list(everyUser, slice)).map((user) => fieldsOf(user, userColumns)),
  },
  products: {
    columns: productColumns,
    read: async ({ products }, slice) =>
      Promise.all(
        (await products.list(slice)).map(async (product) => {
          const categories = await products.listCategories(product.id);
          const names = categories === 'not-found' ? [] : categories.map(({ name }) => name);
          const { priceCents, ...fields } = product;
          return fieldsOf({ ...fields, price: decimalOf(priceCents), categories: names }, productColumns);
        }),
      ),
  },
  orders: {
    columns: orderColumns,
    read: async ({ orders, users }, slice) => {
      const page = await orders.list(everyOrder, slice);
      const found = await users.findMany(page.map(({ userId }) => userId));
      return page.map((order, index) => fieldsOf(orderOf(order, found[index]), orderColumns));
    },
  },
  posts: {
    columns: postColumns,
    read: async ({ posts }, slice) => (await posts.list(slice)).map((post) => fieldsOf(post, postColumns)),
  },
} satisfies Record<string, ExportKind>;

function orderOf({ totalCents, ...order }: Order, user: User | undefined): ExportedOrder {
  const items = order.items.map(({ unitPriceCents, ...item }) => ({
    ...item,
    unitPrice: decimalOf(unitPriceCents),
  }));
  return { ...order, items, userEmail: user?.email ?? null, total: decimalOf(totalCents) };
}

/** The fields that have a column, in the order of the columns. */
function fieldsOf<T extends object>(record: T, columns: Columns<T>): Fields {
  return Object.fromEntries(columns.map(({ name }) => [name, record[name]]));
}
