/** Assigns a post's id and time in PostgreSQL, and stores the post. */
import { sql } from 'kysely';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import { rowOf, type SqlTask } from '../sql/query/task.js';
import { postgresBuilder as builder, postgresDialect } from './dialect.js';

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
    builder
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
