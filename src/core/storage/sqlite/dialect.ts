/** The SQL that differs in SQLite. */
import { sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type Timestamp, nextTimestamp, latestOf } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import { insertOfUser } from '../sql/query/clauses.js';
import type { SqlInteger } from '../sql/query/query.js';
import {
  type AssignedPost,
  PreparedQuery,
  rowOf,
  type SqlTask,
  queryBuilder,
  type SqlDialect,
} from '../sql/query/runner.js';
import { mergedInSqlite, sqliteValue } from '../sql/query/stored.js';

export const sqliteBuilder = queryBuilder({
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

export const sqliteDialect: SqlDialect = {
  database: 'sqlite',
  json: (text) => sql`${text}`,
  mergedStored: mergedInSqlite,
  storedValue: (value) => sql`${sqliteValue(value)}`,

  moment: (column) => sql<Timestamp>`${sql.ref(column)}`,

  idList: (ids) => sql<SqlInteger>`(select value from json_each(${jsonOf(ids)}))`,

  inOrder: (ids) => ids, // SQLite merges by itself, and refuses parts with an order of their own

  locks: sql``,

  keepsIds: sql``,
  columnsOf: (table) => sql`select name, null as "isMoment" from pragma_table_info(${table})`,
  lastIdOf: (table) => sql`select max(seq) as id from sqlite_sequence where name = ${table}`,
  nextIds: (table, count) => sql`
    with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${count})
    select number + coalesce((select max(seq) from sqlite_sequence where name = ${table}), 0) as id from numbers`,
  raiseLastId: (table, id) => [
    sql`insert into sqlite_sequence (name, seq)
      select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`,
    sql`update sqlite_sequence set seq = max(seq, cast(${id} as integer)) where name = ${table}`,
  ],

  createPost,

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

const clock = new PreparedQuery(
  'postClock',
  sqliteBuilder.selectFrom('post_clock').select(['last_id', 'last_created_at']),
);

/**
 * Must run in a transaction. Only one transaction writes at a time, and its writes are visible before the next begins. So ids
 * and times are assigned, and become visible, one after the other.
 */
function* createPost(
  { title, content, authorId, stored }: NewPost,
  now: Timestamp,
): SqlTask<AssignedPost | 'author-not-found'> {
  const last = yield* rowOf(clock.with());
  if (last === undefined) throw new Error('the table post_clock has lost its row');
  const id = String(BigInt(last.last_id) + 1n);
  const createdAt = last.last_created_at === null ? now : latestOf(now, nextTimestamp(last.last_created_at));
  const post = yield* rowOf(
    insertOfUser(sqliteBuilder, 'posts', 'author_id', authorId, {
      id,
      title,
      content,
      created_at: createdAt,
      ...(stored && { stored: JSON.stringify(stored) }),
    }).returning('id'),
  );
  if (post === undefined) return 'author-not-found';
  yield* rowOf(sqliteBuilder.updateTable('post_clock').set({ last_id: id, last_created_at: createdAt }));
  return { id, createdAt };
}
