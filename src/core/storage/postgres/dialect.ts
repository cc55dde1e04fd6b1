/** The SQL that is specific to PostgreSQL. */
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import { queryBuilder, type SqlDialect } from '../sql/query/runner.js';
import { type SqlInteger, rowOf, type SqlTask } from '../sql/query/task.js';

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
export function* createPost(
  { title, content, authorId }: NewPost,
  now: Timestamp,
): SqlTask<Pick<Post, 'id' | 'createdAt'> | 'author-not-found'> {
  const post = yield* rowOf(
    postgresBuilder
      .with('assigned', (db) =>
        db
          .updateTable('post_clock')
          .set((eb) => ({
            last_id: eb('last_id', '+', 1),
            last_created_at: sql<Timestamp>`greatest(${now}, last_created_at + interval '1 microsecond')`,
          }))
          .where((eb) =>
            eb.exists(eb.selectFrom('users').select('users.id').where('users.id', '=', authorId)),
          )
          .returning(['last_id', 'last_created_at']),
      )
      .insertInto('posts')
      .columns(['id', 'title', 'content', 'author_id', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom('assigned')
          .select(['last_id as id', eb.val(title).as('title'), eb.val(content).as('content')])
          .select(sql<string>`${authorId}::bigint`.as('author_id'))
          .select((last) => last.ref('last_created_at').$notNull().as('created_at')),
      )
      .returning(['id', postgresDialect.moment('posts.created_at').as('created_at')]),
  );
  return post === undefined ? 'author-not-found' : { id: String(post.id), createdAt: post.created_at };
}
