/** The fields of the records that are imported and exported, in the order of the CSV columns. */

/** How a field is written in a CSV cell. */
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

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The store assigns the value: exports contain it, imports ignore it. */
  readonly isAssigned?: true;
}

const text = (name: string): Column => ({ name, type: 'text' });
const assigned = (name: string): Column => ({ name, type: 'text', isAssigned: true });
const times = [text('createdAt'), text('updatedAt')];

export const userColumns: readonly Column[] = [
  assigned('id'),
  text('name'),
  text('email'),
  text('phone'),
  text('city'),
  text('role'),
  text('status'),
  ...times,
];

/** Imports accept a password; exports never contain one. */
export const passwordColumn: Column = text('password');

export const productColumns: readonly Column[] = [
  assigned('id'),
  text('name'),
  { name: 'description', type: 'emptyable-text' },
  { name: 'price', type: 'number' },
  { name: 'categories', type: 'json' },
];

export const orderColumns: readonly Column[] = [
  assigned('id'),
  text('userId'),
  { name: 'userEmail', type: 'nullable-text' },
  text('status'),
  { name: 'items', type: 'json' },
  assigned('total'),
  ...times,
];

export const postColumns: readonly Column[] = [
  assigned('id'),
  text('title'),
  text('content'),
  text('authorId'),
  text('createdAt'),
];
