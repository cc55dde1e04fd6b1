/** The words for tables that the two databases do not share. */
import { sql, type ColumnDefinitionBuilder, type RawBuilder } from 'kysely';

export interface Words {
  readonly database: 'sqlite' | 'postgres';
  readonly integer: 'integer' | 'bigint';
  /** Microseconds and the zone UTC. */
  readonly moment: 'text' | 'timestamptz';
  /** A text that an index compares, byte by byte. */
  readonly key: 'text' | RawBuilder<unknown>;
  /** Makes a column the primary key, with values that are never used twice. */
  readonly assigned: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** What ends the statement that makes a table. */
  readonly table: RawBuilder<unknown>;
  /** The same for one that is kept in the order of its primary key. */
  readonly keyedTable: RawBuilder<unknown>;
  /** What an index adds to its columns, so that rows that are equal in those are in the order of their ids. */
  readonly inOrderOfIds: readonly 'id'[];
}

export const sqliteWords: Words = {
  database: 'sqlite',
  integer: 'integer',
  moment: 'text', // the core writes all digits of a moment, so that text order is time order
  key: 'text',
  assigned: (column) => column.primaryKey().autoIncrement(), // without autoincrement, the last id is used again
  table: sql`strict`, // only then a column keeps to its type
  keyedTable: sql`strict, without rowid`,
  inOrderOfIds: [], // every index ends in the id
};

export const postgresWords: Words = {
  database: 'postgres',
  integer: 'bigint',
  moment: 'timestamptz',
  key: sql`text collate "C"`, // no update of the system's locale can put such an index out of order
  assigned: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
  table: sql``,
  keyedTable: sql``,
  inOrderOfIds: ['id'],
};
