/** The SQL that is specific to PostgreSQL. */
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { Timestamp } from '../../model/timestamp.js';
import { queryBuilder } from '../sql/query/builder.js';
import type { SqlInteger } from '../sql/query/schema.js';
import type { SqlDialect } from '../sql/query/runner.js';

export const postgresBuilder = queryBuilder({
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

export const postgresDialect: SqlDialect = {
  // The database formats the timestamp: `pg` would make a Date without microseconds, and the default text depends on the
  // session's time zone and on type parsers that the whole process shares.
  moment: (column) =>
    sql<Timestamp>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,

  idList: (ids) => sql<SqlInteger>`(select unnest(${ids}::bigint[]))`,

  firstIdsOf: (table, owner, owners, limit, total) => sql<SqlInteger>`(
    select first.id from unnest(${owners}::bigint[]) as owners(id) cross join lateral (
      select id from ${sql.table(table)} where ${sql.ref(owner)} = owners.id order by id limit ${limit}
    ) as first limit ${total ?? null}
  )`,
};
