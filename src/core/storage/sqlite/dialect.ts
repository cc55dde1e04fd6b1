/** The SQL that differs in SQLite. */
import { sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { queryBuilder } from '../sql/query/builder.js';
import type { SqlInteger } from '../sql/query/schema.js';
import type { SqlDialect } from '../sql/query/runner.js';
import type { Timestamp } from '../../model/timestamp.js';

export const sqliteBuilder = queryBuilder({
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

export const sqliteDialect: SqlDialect = {
  moment: (column) => sql<Timestamp>`${sql.ref(column)}`,

  idList: (ids) => sql<SqlInteger>`(select value from json_each(${jsonOf(ids)}))`,

  // SQLite has no lateral join; its planner runs the inner query once per owner, on the owner's index.
  firstIdsOf: (table, owner, owners, limit, total) => {
    const rows = sql.table(table);
    return sql<SqlInteger>`(
      select first.id from json_each(${jsonOf(owners)}) as owners join ${rows} as first on first.id in (
        select id from ${rows} where ${sql.ref(owner)} = owners.value order by id limit ${limit}
      ) limit ${total ?? -1}
    )`;
  },
};

/** Ids are digits, so they are valid JSON numbers, which SQLite reads as 64-bit integers. */
function jsonOf(ids: readonly string[]): string {
  return `[${ids.join()}]`;
}
