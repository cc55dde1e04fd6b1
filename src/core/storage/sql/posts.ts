/** The posts of the SQL storages. */
import { sql, type Compilable } from 'kysely';
import { parseId, type Id } from '../../model/id.js';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewPost, PostForm, PostStore } from '../../ports/post-store.js';
import type { AfterSlice } from '../../ports/slice.js';
import { distinctIds, listsByOwner } from './query/owners.js';
import { PreparedPages } from './query/prepared-pages.js';
import { PreparedQuery } from './query/prepared-query.js';
import type { SqlInteger } from './query/schema.js';
import type { SqlRunner } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';

/** An id has 18 digits at most. */
const behindAllIds: Id = `1${'0'.repeat(18)}`;
/** Earlier than any clock shows. */
const beforeAllTimes: Timestamp = '0001-01-01T00:00:00.000000Z';

export class SqlPosts implements PostStore {
  readonly #runner: SqlRunner;
  readonly #byId: PreparedQuery<PostRow>;
  readonly #pages: Readonly<Record<PostForm, PreparedPages<PostRow>>>;
  readonly #pagesByTime: PreparedPages<PostRow>;
  readonly #feed: PreparedPages<PostRow>;

  constructor(runner: SqlRunner) {
    this.#runner = runner;
    const posts = this.#select();
    const pages = (name: string, form: PostForm): PreparedPages<PostRow> => {
      const page = this.#select(form).where('id', '>', '0').orderBy('id');
      return new PreparedPages(name, (limit) => page.limit(limit));
    };
    const pagesByTime = posts.where('posts.created_at', '>', beforeAllTimes).orderBy('posts.created_at');
    const feed = posts.where('id', '<', behindAllIds).orderBy('id', 'desc');
    this.#byId = new PreparedQuery('posts.byId', posts.where('id', '=', '1'));
    this.#pages = {
      whole: pages('posts.page', 'whole'),
      'without-content': pages('posts.pageWithoutContent', 'without-content'),
    };
    this.#pagesByTime = new PreparedPages('posts.pageByTime', (limit) => pagesByTime.limit(limit));
    this.#feed = new PreparedPages('posts.feed', (limit) => feed.limit(limit));
  }

  async create(post: NewPost, now: Timestamp): Promise<Post | 'author-not-found'> {
    if (parseId(post.authorId) === undefined) return 'author-not-found';
    const assigned = await this.#runner.createPost(post, now);
    if (assigned === 'author-not-found') return assigned;
    const { title, content, authorId } = post;
    return { title, content, authorId, ...assigned };
  }

  find(id: string): Promise<Post | undefined> {
    return this.#runner.run(() => this.#find(id));
  }

  *#find(id: string): SqlTask<Post | undefined> {
    if (parseId(id) === undefined) return undefined;
    const row = yield* rowOf(this.#byId.with(id));
    return row && postOf(row);
  }

  list({ after = '0', limit }: AfterSlice, form: PostForm = 'whole'): Promise<readonly Post[]> {
    return this.#read(this.#pages[form].with(after, limit));
  }

  listSince(since: Timestamp = beforeAllTimes, limit: number): Promise<readonly Post[]> {
    return this.#read(this.#pagesByTime.with(since, limit));
  }

  listBefore(before: Id = behindAllIds, limit: number): Promise<readonly Post[]> {
    return this.#read(this.#feed.with(before, limit));
  }

  async listByAuthor(
    authorId: string,
    { after = '0', limit }: AfterSlice,
    form?: PostForm,
  ): Promise<readonly Post[]> {
    if (parseId(authorId) === undefined) return [];
    const posts = this.#select(form).where('author_id', '=', authorId).where('id', '>', after);
    return await this.#read(posts.orderBy('id').limit(limit));
  }

  async listByAuthors(
    authorIds: readonly string[],
    limit: number,
    total?: number,
    form?: PostForm,
  ): Promise<readonly (readonly Post[])[]> {
    const authors = distinctIds(authorIds);
    const ids = this.#runner.dialect.firstIdsOf('posts', 'author_id', authors, limit, total);
    const posts =
      authors.length > 0 ? await this.#read(this.#select(form).where('id', 'in', ids).orderBy('id')) : [];
    return listsByOwner(authorIds, posts, ({ authorId }) => authorId);
  }

  #select(form: PostForm = 'whole') {
    const { builder, dialect } = this.#runner;
    const content = form === 'whole' ? sql.ref<string>('content') : sql.lit('');
    const createdAt = dialect.moment('posts.created_at').as('created_at');
    return builder.selectFrom('posts').select(['id', 'title', content.as('content'), 'author_id', createdAt]);
  }

  #read(query: Compilable<PostRow>): Promise<readonly Post[]> {
    return this.#runner.run(() => readPosts(query));
  }
}

interface PostRow {
  readonly id: SqlInteger;
  readonly title: string;
  readonly content: string;
  readonly author_id: SqlInteger;
  readonly created_at: Timestamp;
}

function* readPosts(query: Compilable<PostRow>): SqlTask<readonly Post[]> {
  return (yield* rowsOf(query)).map(postOf);
}

function postOf(row: PostRow): Post {
  return {
    id: String(row.id),
    title: row.title,
    content: row.content,
    authorId: String(row.author_id),
    createdAt: row.created_at,
  };
}
