/** The kinds of records that are exported. */

import {
  type AfterSlice,
  type Id,
  type Order,
  type Storage,
  type User,
  decimalOf,
  everyAuditEntry,
  everyComment,
  everyOrder,
  everyUser,
} from '@concordat/core';

export type Fields = Readonly<Record<string, unknown>>;

/** A kind of records that can be exported. */
export interface ExportKind {
  /** The number of records, to show the progress of an export. */
  readonly total: (storage: Storage) => Promise<number>;
  /** Reads the fields of a slice of the records, ascending by id. What is undefined is not written. */
  readonly read: (storage: Storage, slice: AfterSlice) => Promise<readonly (Fields & { readonly id: Id })[]>;
}

export const exportKinds = {
  users: {
    total: ({ users }) => users.count(everyUser),
    read: async ({ users }, slice) =>
      (await users.list(everyUser, slice)).map((user) => ({
        ...user,
        version: undefined,
        sessionsFrom: undefined,
      })),
  },
  products: {
    total: ({ products }) => products.count(),
    read: async ({ products }, slice) =>
      Promise.all(
        (await products.list(slice)).map(async ({ priceCents, ...product }) => {
          const categories = await products.listCategories(product.id);
          const names = categories === 'not-found' ? [] : categories.map(({ name }) => name);
          return { ...product, version: undefined, price: decimalOf(priceCents), categories: names };
        }),
      ),
  },
  orders: {
    total: ({ orders }) => orders.count(everyOrder),
    read: async ({ orders, users }, slice) => {
      const page = await orders.list(everyOrder, slice);
      const found = await users.findMany(page.map(({ userId }) => userId));
      return page.map((order, index) => exportedOrder(order, found[index]));
    },
  },
  comments: {
    total: ({ comments }) => comments.count(everyComment),
    read: async ({ comments, users }, slice) => {
      const page = await comments.list(everyComment, slice);
      const found = await users.findMany(page.map(({ userId }) => userId));
      return page.map((comment, index) => ({ ...comment, userEmail: found[index]?.email }));
    },
  },
  posts: {
    // Posts are not counted; their progress is shown by id.
    total: async ({ posts }) => Number((await posts.listBefore(undefined, 1))[0]?.id ?? 0),
    read: async ({ posts, users }, slice) => {
      const page = await posts.list(slice);
      const found = await users.findMany(page.map(({ authorId }) => authorId));
      return page.map((post, index) => ({ ...post, authorEmail: found[index]?.email }));
    },
  },
  audit: {
    // The progress is shown by id, as for posts.
    total: async ({ audit }) => Number((await audit.listBefore(everyAuditEntry, undefined, 1))[0]?.id ?? 0),
    read: async ({ audit }, slice) =>
      (await audit.list(everyAuditEntry, slice)).map((entry) => ({ ...entry })),
  },
} satisfies Record<string, ExportKind>;

/** With the email of its user, because the id may belong to another user in another store; null when the user was deleted. */
function exportedOrder(
  { totalCents, ...order }: Order,
  user: User | undefined,
): Fields & { readonly id: Id } {
  const items = order.items.map(({ unitPriceCents, ...item }) => ({
    ...item,
    unitPrice: decimalOf(unitPriceCents),
  }));
  return {
    ...order,
    version: undefined,
    items,
    userEmail: user?.email ?? null,
    total: decimalOf(totalCents),
  };
}
