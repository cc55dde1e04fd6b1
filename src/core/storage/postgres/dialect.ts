/** The SQL that is specific to PostgreSQL. */
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import {
  type AssignedPost,
  queryBuilder,
  type SqlDialect,
  rowOf,
  type SqlTask,
} from '../sql/query/runner.js';
import type { Ids } from '../sql/query/schema.js';
import type { SqlInteger } from '../sql/query/query.js';

export const postgresBuilder = queryBuilder({
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

export const postgresDialect: SqlDialect = {
  database: 'postgres',
  json: (text) => sql`${text}::jsonb`,
  mergedStored(given) {
    const removed = Object.keys(given).filter((name) => given[name] === undefined);
    return sql`(coalesce(stored, '{}'::jsonb) - ${removed}::text[]) || ${JSON.stringify(given)}::jsonb`;
  },
  storedValue: (value) => sql`${JSON.stringify(value)}::jsonb`,

  // The database formats the timestamp: `pg` would make a Date without microseconds, and the default text depends on the
  // session's time zone and on type parsers that the whole process shares.
  moment: (column) =>
    sql<Timestamp>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,

  idList: (ids) => sql<SqlInteger>`(select unnest(${ids}::bigint[]))`,

  // Without its own limit, a part would become part of the union, where PostgreSQL does not see that its index is in order.
  inOrder: (ids, direction, reach) => {
    const part = ids.orderBy('id', direction).limit(reach).as('part');
    return postgresBuilder.selectFrom(part).select('part.id') as unknown as Ids;
  },

  /**
   * For transactions of many writes. PostgreSQL plans the checks of references at the first write and keeps the plan: made while the
   * tables are small, the plan would scan a whole table for each later write.
   */
  beginsImport: { sql: 'set local enable_seqscan = off', parameters: [] },

  countsImport: (table) =>
    ['users', 'orders', 'products'].includes(table)
      ? {
          begin: sql`
            select set_config('concordat.counts', 'later', true),
              set_config('concordat.last_id', coalesce(max(id), 0)::text, true) from ${sql.table(table)}`.compile(
            postgresBuilder,
          ),
          end: sql`
            select count_import(${table}, current_setting('concordat.last_id')::bigint),
              set_config('concordat.counts', '', true)`.compile(postgresBuilder),
        }
      : undefined,

  deletesAlone: {
    sql: "select 1 where pg_try_advisory_xact_lock(hashtext('concordat expired ' || current_schema()))",
    parameters: [],
  },

  createPost,

  locks: sql`for no key update`,

  keepsIds: sql`overriding system value`,
  columnsOf: (table) => sql`
    select attname as name, atttypid = 'timestamptz'::regtype as "isMoment" from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`,
  lastIdOf: (table) => sql`select pg_sequence_last_value(${sequenceOf(table)}) as id`,
  nextIds: (table, count) =>
    sql`select nextval(${sequenceOf(table)}) as id from generate_series(1, ${count}::int) order by 1`,
  raiseLastId: (table, id) => [
    sql`select setval(${sequenceOf(table)}, ${id}::bigint)
      where ${id}::bigint > coalesce(pg_sequence_last_value(${sequenceOf(table)}), 0)`,
  ],

  firstIdsOf: (table, owner, owners, limit, total) => sql<SqlInteger>`(
    select first.id from unnest(${owners}::bigint[]) as owners(id) cross join lateral (
      select id from ${sql.table(table)} where ${sql.ref(owner)} = owners.id order by id limit ${limit}
    ) as first limit ${total ?? null}
  )`,
};

const sequenceOf = (table: string) => sql`pg_get_serial_sequence(${table}, 'id')::regclass`;

/**
 * Posts must become visible in the order of their ids and times: a reader who has paged past a post never returns for one
 * that is committed later with a smaller id or time. A sequence or a clock alone does not guarantee that: of two
 * transactions, the one that took the smaller number may commit last.
 *
 * Therefore both values come from the single row of post_clock. The update locks the row until the transaction ends, and
 * PostgreSQL makes a transaction visible before it releases its locks. The next writer, who waited for the lock, reads the
 * row again (READ COMMITTED re-reads an updated row), takes the next id and a later time, and becomes visible later. So
 * when a post is visible, all posts with smaller ids are too, even if the writers' clocks differ and in any number of
 * processes.
 *
 * The price is that creates commit one after the other. A single statement, which is its own transaction, keeps the lock
 * short: there is no round trip to this process while it is held.
 */
function* createPost(
  { title, content, authorId, stored }: NewPost,
  now: Timestamp,
): SqlTask<AssignedPost | 'author-not-found'> {
  // Without such values the text of the statement is always the same.
  const [column, value] =
    stored === undefined ? [sql``, sql``] : [sql`, stored`, sql`, ${JSON.stringify(stored)}::jsonb`];
  const query = sql`
    with clock as (
      update post_clock set
        last_id = last_id + 1,
        last_created_at = greatest(${now}, last_created_at + interval '1 microsecond')
      where exists (select from users where id = ${authorId})
      returning last_id, last_created_at
    )
    insert into posts (id, title, content, author_id, created_at${column})
    select last_id, ${title}, ${content}, ${authorId}, last_created_at${value} from clock
    returning id, ${postgresDialect.moment('created_at')} as "createdAt"`.compile(postgresBuilder);
  const post = yield* rowOf<{ readonly id: SqlInteger; readonly createdAt: Timestamp }>({
    ...query,
    ...(stored === undefined && { name: 'concordat:posts.create' }),
  });
  return post === undefined ? 'author-not-found' : { id: String(post.id), createdAt: post.createdAt };
}
