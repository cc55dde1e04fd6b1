/** Defines how each field of a record is stored, in one table per kind of record, which gives the columns, selections and values. */
import { sql, type AliasedExpression, type ColumnType, type Generated, type RawBuilder } from 'kysely';
import type { Timestamp } from '../../../model/timestamp.js';
import type { SqlInteger } from './query.js';

export interface Moments {
  /** A stored moment as a timestamp with six decimals. @param column - with its table, if the name alone is ambiguous */
  readonly moment: (column: string) => RawBuilder<Timestamp>;
}

/** How a field is stored; one with `?` may be absent, which is null in the database. A flag is 1 or 0, and `json?` the text of an object. */
type Kind = 'text' | 'text?' | 'id' | 'id?' | 'integer' | 'flag' | 'moment' | 'moment?' | 'json?';

/** The kinds that can store the values of a field. */
type KindOf<Value> = undefined extends Value
  ? Exclude<Value, undefined> extends object
    ? 'json?'
    : 'text?' | 'id?' | 'moment?'
  : Value extends boolean
    ? 'flag'
    : Value extends number
      ? 'integer'
      : 'text' | 'id' | 'moment';

type KindsOf<T> = { readonly [Field in keyof T]-?: KindOf<T[Field]> };

declare const record: unique symbol;

/** How the fields of a record are stored, each in the column of the same name in snake case: made by {@link stored}. */
export interface Stored<T> {
  readonly [record]?: T;
}

/**
 * States how every field of a record is stored; a missing field does not compile. The kinds are required of the parameter and not by a
 * constraint: otherwise a missing field changes the types of all columns, and errors in other files come before the one that names it.
 */
export function columnsOf<T>() {
  return <const Fields extends Readonly<Record<string, string>>>(
    fields: Fields & KindsOf<T> & { readonly [Other in Exclude<keyof Fields, keyof T>]: never },
  ): Fields & KindsOf<T> & Stored<T> => fields;
}

/** `createdAt` as `created_at`. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** The types of the columns, for the query builder. */
export type ColumnsOf<T, Fields extends KindsOf<T>> = {
  [Field in keyof T as SnakeCase<Field>]-?: Field extends 'id'
    ? ColumnType<SqlInteger, SqlInteger | undefined, never>
    : Field extends 'version'
      ? Generated<SqlInteger>
      : ColumnOf<T[Field], Fields[Field]>;
};

type ColumnOf<Value, Of> = Of extends 'id'
  ? ColumnType<SqlInteger, SqlInteger, never>
  : Of extends 'id?'
    ? ColumnType<SqlInteger | null, string | null, never>
    : Of extends 'integer'
      ? ColumnType<SqlInteger, number, SqlInteger>
      : Of extends 'flag'
        ? ColumnType<SqlInteger, number | undefined, number>
        : Of extends 'json?'
          ? ColumnType<string | null, string | null | undefined, string | null>
          : undefined extends Value
            ? Exclude<Value, undefined> | null
            : Value;

/** The fields as a query returns them, under their own names. */
export type RowOf<T> = { readonly [Field in keyof T]: unknown };

/** The columns to select for a {@link RowOf}. @param table - with its name, if the columns alone are ambiguous */
export function selectionOf<T>(
  fields: Stored<T>,
  { moment }: Moments,
  table?: string,
): readonly AliasedExpression<unknown, keyof T & string>[] {
  return kindsOf(fields).map(([field, kind]) => {
    const column = (table === undefined ? '' : `${table}.`) + columnOf(field);
    // Not as the driver reads JSON, whose parsers the whole process shares.
    const json = () => sql`cast(${sql.ref(column)} as text)`;
    const value = kind.startsWith('moment') ? moment(column) : kind === 'json?' ? json() : sql.ref(column);
    return value.as(field as keyof T & string);
  });
}

const orAbsent = (value: SqlInteger | null): SqlInteger | undefined => value ?? undefined;

/** Converts the values of some kinds for a record. The values of the other kinds are texts in both. */
const conversions: { readonly [Of in Kind]?: (value: SqlInteger | null) => unknown } = {
  id: String,
  'id?': (value) => (value === null ? undefined : String(value)),
  'text?': orAbsent,
  'moment?': orAbsent,
  integer: Number,
  flag: (value) => Number(value) === 1,
};

/** @returns a function that turns a row into a record in place, because a second object per row would cost time */
export function readerOf<T>(fields: Stored<T>): (row: RowOf<T>) => T {
  const json = kindsOf(fields).flatMap(([field, kind]) => (kind === 'json?' ? [field] : []));
  const converted = kindsOf(fields).flatMap(([field, kind]) => {
    const convert = conversions[kind];
    return convert === undefined ? [] : [{ field, convert }];
  });
  return (row) => {
    const record = row as Record<string, unknown>;
    // Not in pairs, because destructuring them would take as long as the conversions.
    for (const each of converted) record[each.field] = each.convert(record[each.field] as SqlInteger | null);
    for (const field of json) {
      const text = record[field];
      if (typeof text === 'string') record[field] = JSON.parse(text);
      else Reflect.deleteProperty(record, field);
    }
    return row as T;
  };
}

/** Values for the columns of fields. The compiler checks the columns; the values come from the record, whose table is checked. */
type Values<Field> = { [Each in Field as SnakeCase<Each>]: never };

/** The values to insert for the fields of the record. */
export function insertedOf<T, Given extends object>(
  fields: Stored<T>,
  record: Given,
): Values<keyof T & keyof Given> {
  return valuesOf(fields, record, null);
}

/** The values to write for a change; undefined fields are not written. */
export function updatedOf<T, Given extends object>(
  fields: Stored<T>,
  change: Given,
): Values<keyof T & keyof Given> {
  return valuesOf(fields, change, undefined);
}

function valuesOf(fields: object, record: object, absent: null | undefined): never {
  const given = record as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const field of Object.keys(record)) {
    if (!(field in fields)) continue;
    const value = given[field];
    const isJson = typeof value === 'object' && value !== null;
    values[columnOf(field)] = value === undefined ? absent : isJson ? JSON.stringify(value) : value;
  }
  return values as never;
}

/** The name of the column of a field. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function kindsOf(fields: object): readonly (readonly [field: string, kind: Kind])[] {
  return Object.entries(fields) as [string, Kind][];
}
