/** The fields of the records that are imported and exported, in the order in which CSV has them. */

/** How a field stands in a CSV cell. */
export type ColumnType =
  /** As it is; an empty cell is no value, unless the text may be empty and the cell is quoted. */
  | 'text'
  | 'emptyable-text'
  /** As it is; an empty cell is null. */
  | 'nullable-text'
  /** In decimal. */
  | 'number'
  /** As JSON. */
  | 'json';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** What the store assigns: exports show it, imports read over it. */
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

/** What an import takes, and an export never shows. */
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
