/** The kinds of records that are exported, and the fields of imports and exports in the order of the CSV columns. */

import {
  type AfterSlice,
  type AuditEntry,
  type Comment,
  type Order,
  type Post,
  type Product,
  type Storage,
  type User,
  decimalOf,
  everyAuditEntry,
  everyComment,
  everyOrder,
  everyUser,
} from '@concordat/core';

/** The form of a field in a CSV cell. */
export type ColumnType =
  /** Unchanged. An empty cell means no value, unless the text may be empty and the cell is quoted. */
  | 'text'
  | 'emptyable-text'
  /** Unchanged; an empty cell means null. */
  | 'nullable-text'
  /** A decimal number. */
  | 'number'
  /** As JSON. */
  | 'json';

export interface Column extends ColumnKind {
  readonly name: string;
}

interface ColumnKind {
  readonly type: ColumnType;
  /** The store assigns the value: exports contain it, imports ignore it. */
  readonly isAssigned?: true;
}

/** The columns of a record, by the names of its fields. */
type Columns<T> = readonly (Column & { readonly name: keyof T & string })[];

interface ExportedProduct extends Omit<Product, 'version' | 'priceCents'> {
  readonly price: number;
  /** The names of the categories. */
  readonly categories: readonly string[];
}

interface ExportedOrder extends Omit<Order, 'version' | 'totalCents' | 'items'> {
  /** The email, because the id may belong to another user in another store; null when the user was deleted. */
  readonly userEmail: string | null;
  readonly items: readonly unknown[];
  readonly total: number;
}

const text: ColumnKind = { type: 'text' };
const assigned: ColumnKind = { type: 'text', isAssigned: true };
const times = { createdAt: text, updatedAt: text };

export const userColumns = columnsOf<Omit<User, 'version' | 'sessionsFrom'>>({
  id: assigned,
  name: text,
  email: text,
  phone: text,
  city: text,
  role: text,
  status: text,
  ...times,
});

/** Imports accept a password; exports never contain one. */
export const passwordColumn: Column = { name: 'password', ...text };

export const productColumns = columnsOf<ExportedProduct>({
  id: assigned,
  name: text,
  description: { type: 'emptyable-text' },
  price: { type: 'number' },
  categories: { type: 'json' },
});

export const orderColumns = columnsOf<ExportedOrder>({
  id: assigned,
  userId: text,
  userEmail: { type: 'nullable-text' },
  status: text,
  items: { type: 'json' },
  total: assigned,
  ...times,
});

interface ExportedPost extends Post {
  /** For a store that assigns other ids. */
  readonly authorEmail: string | undefined;
}

export const postColumns = columnsOf<ExportedPost>({
  id: assigned,
  title: text,
  content: text,
  authorId: text,
  authorEmail: text,
  createdAt: text,
});

interface ExportedComment extends Comment {
  readonly userEmail: string | undefined;
}

export const commentColumns = columnsOf<ExportedComment>({
  id: assigned,
  orderId: text,
  userId: text,
  userEmail: text,
  text,
  createdAt: text,
});

/** Makes a column for every field of a record; a missing field does not compile. */
function columnsOf<T>(kinds: Readonly<Record<keyof T, ColumnKind>>): Columns<T> {
  return Object.entries<ColumnKind>(kinds).map(([name, kind]) => ({
    name: name as keyof T & string,
    ...kind,
  }));
}

export type Fields = Readonly<Record<string, unknown>>;

/** A kind of records that can be exported. */
export interface ExportKind {
  readonly columns: readonly Column[];
  /** The number of records, to show the progress of an export. */
  readonly total: (storage: Storage) => Promise<number>;
  /** Reads the fields of a slice of the records, ascending by id; each has an `id`. */
  readonly read: (storage: Storage, slice: AfterSlice) => Promise<readonly Fields[]>;
}

function kind<T extends object>(
  columns: Columns<T>,
  total: ExportKind['total'],
  list: (storage: Storage, slice: AfterSlice) => Promise<readonly T[]>,
): ExportKind {
  const fieldsOf = (record: T) => Object.fromEntries(columns.map(({ name }) => [name, record[name]]));
  return { columns, total, read: async (storage, slice) => (await list(storage, slice)).map(fieldsOf) };
}

export const exportKinds = {
  users: kind<User>(
    userColumns,
    ({ users }) => users.count(everyUser),
    ({ users }, slice) => users.list(everyUser, slice),
  ),
  products: kind<ExportedProduct>(
    productColumns,
    ({ products }) => products.count(),
    async ({ products }, slice) =>
      Promise.all(
        (await products.list(slice)).map(async (product) => {
          const categories = await products.listCategories(product.id);
          const names = categories === 'not-found' ? [] : categories.map(({ name }) => name);
          return { ...product, price: decimalOf(product.priceCents), categories: names };
        }),
      ),
  ),
  orders: kind<ExportedOrder>(
    orderColumns,
    ({ orders }) => orders.count(everyOrder),
    async ({ orders, users }, slice) => {
      const page = await orders.list(everyOrder, slice);
      const found = await users.findMany(page.map(({ userId }) => userId));
      return page.map((order, index) => exportedOrder(order, found[index]));
    },
  ),
  comments: kind<ExportedComment>(
    commentColumns,
    ({ comments }) => comments.count(everyComment),
    async ({ comments, users }, slice) => {
      const page = await comments.list(everyComment, slice);
      const found = await users.findMany(page.map(({ userId }) => userId));
      return page.map((comment, index) => ({ ...comment, userEmail: found[index]?.email }));
    },
  ),
  posts: kind<ExportedPost>(
    postColumns,
    // Posts are not counted; their progress is shown by id.
    async ({ posts }) => Number((await posts.listBefore(undefined, 1))[0]?.id ?? 0),
    async ({ posts, users }, slice) => {
      const page = await posts.list(slice);
      const found = await users.findMany(page.map(({ authorId }) => authorId));
      return page.map((post, index) => ({ ...post, authorEmail: found[index]?.email }));
    },
  ),
  audit: kind<AuditEntry>(
    columnsOf<AuditEntry>({
      id: assigned,
      at: text,
      actor: text,
      action: text,
      target: text,
      address: text,
      outcome: text,
      detail: text,
    }),
    // The progress is shown by id, as for posts.
    async ({ audit }) => Number((await audit.listBefore(everyAuditEntry, undefined, 1))[0]?.id ?? 0),
    ({ audit }, slice) => audit.list(everyAuditEntry, slice),
  ),
};

function exportedOrder({ totalCents, ...order }: Order, user: User | undefined): ExportedOrder {
  const items = order.items.map(({ unitPriceCents, ...item }) => ({
    ...item,
    unitPrice: decimalOf(unitPriceCents),
  }));
  return { ...order, items, userEmail: user?.email ?? null, total: decimalOf(totalCents) };
}
