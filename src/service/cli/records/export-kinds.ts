/** The kinds of records that can be exported, in the fields that an import accepts. */

import {
  type AfterSlice,
  type Order,
  type Post,
  type Product,
  type Storage,
  type User,
  decimalOf,
  everyOrder,
  everyUser,
} from '@concordat/core';
import { type Column, orderColumns, postColumns, productColumns, userColumns } from './columns.js';

export type Fields = Readonly<Record<string, unknown>>;

export interface ExportKind {
  readonly columns: readonly Column[];
  /** Reads a slice of the records, ascending by id; each has an `id`. */
  readonly read: (storage: Storage, slice: AfterSlice) => Promise<readonly Fields[]>;
}

export const exportKinds = {
  users: {
    columns: userColumns,
    read: async ({ users }, slice) => (await users.list(everyUser, slice)).map(userFields),
  },
  products: {
    columns: productColumns,
    read: async ({ products }, slice) =>
      Promise.all(
        (await products.list(slice)).map(async (product) => {
          const categories = await products.listCategories(product.id);
          const names = categories === 'not-found' ? [] : categories.map(({ name }) => name);
          return productFields(product, names);
        }),
      ),
  },
  orders: {
    columns: orderColumns,
    read: async ({ orders, users }, slice) => {
      const page = await orders.list(everyOrder, slice);
      const found = await users.findMany(page.map(({ userId }) => userId));
      return page.map((order, index) => orderFields(order, found[index]));
    },
  },
  posts: {
    columns: postColumns,
    read: async ({ posts }, slice) => (await posts.list(slice)).map(postFields),
  },
} satisfies Record<string, ExportKind>;

function userFields({
  id,
  name,
  email,
  phone,
  city,
  role,
  status,
  createdAt,
  updatedAt,
}: User): Record<keyof Omit<User, 'version' | 'sessionsFrom'>, unknown> {
  return { id, name, email, phone, city, role, status, createdAt, updatedAt };
}

function productFields(
  { id, name, description, priceCents }: Product,
  categories: readonly string[],
): Record<keyof Omit<Product, 'version' | 'priceCents'> | 'price' | 'categories', unknown> {
  return { id, name, description, price: decimalOf(priceCents), categories };
}

/** The email is null when the user was deleted: the id alone could be another user's in another store. */
function orderFields(
  order: Order,
  user: User | undefined,
): Record<keyof Omit<Order, 'version' | 'totalCents'> | 'userEmail' | 'total', unknown> {
  const { id, userId, status, totalCents, createdAt, updatedAt } = order;
  const items = order.items.map(({ unitPriceCents, ...item }) => ({
    ...item,
    unitPrice: decimalOf(unitPriceCents),
  }));
  const userEmail = user?.email ?? null;
  return { id, userId, userEmail, status, items, total: decimalOf(totalCents), createdAt, updatedAt };
}

function postFields({ id, title, content, authorId, createdAt }: Post): Record<keyof Post, unknown> {
  return { id, title, content, authorId, createdAt };
}
