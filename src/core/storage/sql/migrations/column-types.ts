/** The column types and table options that differ between the two databases. */
import { sql, type ColumnDefinitionBuilder, type RawBuilder } from 'kysely';

export interface ColumnTypes {
  readonly database: 'sqlite' | 'postgres';
  readonly integer: 'integer' | 'bigint';
  /** A time in UTC, with microseconds. */
  readonly moment: 'text' | 'timestamptz';
  /** A text that is indexed and compared byte by byte. */
  readonly key: 'text' | RawBuilder<unknown>;
  /** Makes a column the primary key, with generated values that are never reused. */
  readonly assigned: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** The end of a `create table` statement. */
  readonly table: RawBuilder<unknown>;
  /** The same for a table that is stored in the order of its primary key, if the database supports that. */
  readonly keyedTable: RawBuilder<unknown>;
  /** The columns to add to an index so that rows with equal values are in the order of their ids. */
  readonly inOrderOfIds: readonly 'id'[];
}

export const sqliteColumnTypes: ColumnTypes = {
  database: 'sqlite',
  integer: 'integer',
  moment: 'text', // timestamps have a fixed number of digits, so text order is time order
  key: 'text',
  assigned: (column) => column.primaryKey().autoIncrement(), // without autoincrement, the id of a deleted last row is reused
  table: sql`strict`, // makes SQLite enforce column types
  keyedTable: sql`strict, without rowid`,
  inOrderOfIds: [], // every SQLite index ends in the row id
};

export const postgresColumnTypes: ColumnTypes = {
  database: 'postgres',
  integer: 'bigint',
  moment: 'timestamptz',
  key: sql`text collate "C"`, // an update of the system's locale cannot corrupt such an index
  assigned: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
  table: sql``,
  keyedTable: sql``,
  inOrderOfIds: ['id'],
};
