/** The posts of the SQL storages. */
import { sql } from 'kysely';
import { parseId, type Id } from '../../model/id.js';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewPost, PostForm, PostStore } from '../../ports/post-store.js';
import { distinctIds, listsByOwner } from './query/clauses.js';
import { selectionOf, type RowOf } from './query/columns.js';
import {
  type AssignedPost,
  PreparedPages,
  type Runnable,
  rowsOf,
  type SqlTask,
  type SqlRunner,
  storeOf,
  type TasksOf,
} from './query/runner.js';
import { recordsIn } from './query/pages.js';
import { postColumns } from './query/schema.js';
import { keptColumns, storedConditions } from './query/stored.js';
import { type StoredValues, withStored } from '../../model/stored.js';

/** An id has 18 digits at most. */
const behindAllIds: Id = `1${'0'.repeat(18)}`;
/** Earlier than any clock shows. */
const beforeAllTimes: Timestamp = '0001-01-01T00:00:00.000000Z';

export function postTasks(runner: SqlRunner): TasksOf<PostStore> {
  const { builder, dialect } = runner;
  const fields = keptColumns(runner, 'Post', postColumns);
  const { find, recordOf } = recordsIn(runner, 'posts', fields);

  function select(form: PostForm = 'whole') {
    const content = form === 'whole' ? sql.ref<string>('content') : sql.lit('');
    const others = selectionOf(fields, dialect).filter(({ alias }) => alias !== 'content');
    return builder
      .selectFrom('posts')
      .select([...others, content.as('content')])
      .$castTo<RowOf<Post>>();
  }

  function prepared(name: string, posts: ReturnType<typeof select>): PreparedPages<RowOf<Post>> {
    return new PreparedPages(name, (limit) => posts.limit(sql.lit(limit)));
  }

  function* postsOf(query: Runnable<RowOf<Post>>): SqlTask<readonly Post[]> {
    return (yield* rowsOf(query)).map(recordOf);
  }

  /** The posts of a query that have these values. */
  const having = (posts: ReturnType<typeof select>, stored: StoredValues) =>
    posts.where((eb) => eb.and(storedConditions(runner, 'Post', stored)));

  const afterId = (form: PostForm) => select(form).where('id', '>', '0').orderBy('id');
  const afterTime = select().where('posts.created_at', '>', beforeAllTimes).orderBy('posts.created_at');
  const beforeId = select().where('id', '<', behindAllIds).orderBy('id', 'desc');
  const pages = {
    whole: prepared('posts.page', afterId('whole')),
    'without-content': prepared('posts.pageWithoutContent', afterId('without-content')),
  };
  const pagesByTime = prepared('posts.pageByTime', afterTime);
  const feed = prepared('posts.feed', beforeId);

  return {
    *create(post, now) {
      if (parseId(post.authorId) === undefined) return 'author-not-found';
      return storedPost(post, yield* dialect.createPost(post, now));
    },

    find,

    list: ({ after = '0', limit }, form = 'whole', stored) =>
      postsOf(
        stored === undefined
          ? pages[form].with(after, limit)
          : having(select(form).where('id', '>', after).orderBy('id').limit(limit), stored),
      ),
    listSince: (since = beforeAllTimes, limit, stored) =>
      postsOf(
        stored === undefined
          ? pagesByTime.with(since, limit)
          : having(
              select().where('posts.created_at', '>', since).orderBy('posts.created_at').limit(limit),
              stored,
            ),
      ),
    listBefore: (before = behindAllIds, limit, stored) =>
      postsOf(
        stored === undefined
          ? feed.with(before, limit)
          : having(select().where('id', '<', before).orderBy('id', 'desc').limit(limit), stored),
      ),

    *listByAuthor(authorId, { after = '0', limit }, form) {
      if (parseId(authorId) === undefined) return [];
      const posts = select(form).where('author_id', '=', authorId).where('id', '>', after);
      return yield* postsOf(posts.orderBy('id').limit(limit));
    },

    *listByAuthors(authorIds, limit, total, form) {
      const authors = distinctIds(authorIds);
      const ids = dialect.firstIdsOf('posts', 'author_id', authors, limit, total);
      const posts =
        authors.length > 0 ? yield* postsOf(select(form).where('id', 'in', ids).orderBy('id')) : [];
      return listsByOwner(authorIds, posts, ({ authorId }) => authorId);
    },
  };
}

export function sqlPosts(runner: SqlRunner, tasks: TasksOf<PostStore>): PostStore {
  return storeOf<PostStore>(runner, tasks, {
    // In PostgreSQL it is one statement, which is its own transaction.
    create: runner.dialect.database === 'sqlite' ? 'runAtomically' : 'run',
    list: 'runList',
    listSince: 'runList',
    listBefore: 'runList',
    listByAuthor: 'runList',
    listByAuthors: 'runList',
  });
}

function storedPost(
  { title, content, authorId, stored }: NewPost,
  assigned: AssignedPost | 'author-not-found',
): Post | 'author-not-found' {
  if (assigned === 'author-not-found') return assigned;
  return withStored<Post>({ title, content, authorId, ...assigned }, stored);
}
