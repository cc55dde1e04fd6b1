/** The fields of the records that are imported and exported, in the order of the CSV columns. */

import type { Order, Post, Product, User } from '@concordat/core';

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
export type Columns<T> = readonly (Column & { readonly name: keyof T & string })[];

export interface ExportedProduct extends Omit<Product, 'version' | 'priceCents'> {
  readonly price: number;
  /** The names of the categories. */
  readonly categories: readonly string[];
}

export interface ExportedOrder extends Omit<Order, 'version' | 'totalCents' | 'items'> {
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

export const postColumns = columnsOf<Post>({
  id: assigned,
  title: text,
  content: text,
  authorId: text,
  createdAt: text,
});

/** Makes a column for every field of a record; a missing field does not compile. */
function columnsOf<T>(kinds: Readonly<Record<keyof T, ColumnKind>>): Columns<T> {
  return Object.entries<ColumnKind>(kinds).map(([name, kind]) => ({
    name: name as keyof T & string,
    ...kind,
  }));
}
