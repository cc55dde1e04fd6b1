/** Reads how many rows a table has without scanning it. */
import { sql, type Kysely } from 'kysely';
import { PreparedQuery } from './prepared-query.js';
import type { CountersTable, SqlInteger, Tables } from './schema.js';
import type { CountRow } from './task.js';

/** The number of rows of a table, which triggers update in the same transaction as the rows. */
export function rowCount(
  builder: Kysely<Tables>,
  table: CountersTable['table_name'],
): PreparedQuery<CountRow> {
  const query = builder
    .selectFrom('counters')
    .where('table_name', '=', sql.lit(table))
    .select(sql<SqlInteger>`coalesce(sum(value), 0)`.as('count'));
  return new PreparedQuery(`${table}.count`, query);
}
