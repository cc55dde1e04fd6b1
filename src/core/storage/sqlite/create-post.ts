/** Creates a post in SQLite, with its id and time. */
import { nextTimestamp, latestOf, type Timestamp } from '../../model/timestamp.js';
import type { Post } from '../../model/post.js';
import type { NewPost } from '../../ports/post-store.js';
import { rowOf, type SqlTask } from '../sql/query/task.js';
import { sqliteBuilder as builder } from './dialect.js';
import { PreparedQuery } from '../sql/query/prepared-query.js';

const clock = new PreparedQuery(
  'postClock',
  builder.selectFrom('post_clock').select(['last_id', 'last_created_at']),
);

/**
 * Must run in a transaction. Only one transaction writes at a time, and its writes are visible before the next begins. So ids
 * and times are assigned, and become visible, one after the other.
 */
export function* createPost(
  { title, content, authorId }: NewPost,
  now: Timestamp,
): SqlTask<Pick<Post, 'id' | 'createdAt'> | 'author-not-found'> {
  const last = yield* rowOf(clock.with());
  if (last === undefined) throw new Error('the table post_clock has lost its row');
  const id = String(Number(last.last_id) + 1);
  const createdAt = last.last_created_at === null ? now : latestOf(now, nextTimestamp(last.last_created_at));
  const post = yield* rowOf(
    builder
      .insertInto('posts')
      .columns(['id', 'title', 'content', 'author_id', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .where('users.id', '=', authorId)
          .select([eb.val(id).as('id'), eb.val(title).as('title'), eb.val(content).as('content')])
          .select(['users.id as author_id'])
          .select(eb.val(createdAt).as('created_at')),
      )
      .returning('id'),
  );
  if (post === undefined) return 'author-not-found';
  yield* rowOf(builder.updateTable('post_clock').set({ last_id: id, last_created_at: createdAt }));
  return { id, createdAt };
}
