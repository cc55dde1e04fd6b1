/** How PostgreSQL gives a post its id and time. */
import { sql } from 'kysely';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import { rowOf, type Step } from '../sql/step.js';
import { postgresBuilder as builder, postgresDialect } from './dialect.js';

/**
 * Posts must become visible in the order of their ids and times: a reader who pages past a post never comes back for one
 * that was committed later with a smaller id or time. A sequence or a clock alone does not give that, because of two
 * transactions the one that took the first number may commit last.
 *
 * So both come out of one row of post_clock. The update locks it; the lock is held until the transaction's end, and
 * PostgreSQL makes a transaction visible before it lets go of its locks. The next writer, who waited for the lock, then
 * reads the row as it is now (READ COMMITTED reads an updated row again), takes the next id and a later time, and becomes
 * visible later. A post that is visible thus has all posts with smaller ids before it, whatever the clocks of the writers
 * said and however many processes they are in.
 *
 * The price is that creates commit one after the other. One statement, which is its own transaction, keeps the lock for no
 * longer than that: no answer travels to this process and back while it is held.
 */
export function* createPost(
  { title, content, authorId }: NewPost,
  now: Timestamp,
): Step<Pick<Post, 'id' | 'createdAt'> | 'author-not-found'> {
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
