/** The posts of the memory storage. */
import type { Id } from '../../model/id.js';
import type { Post } from '../../model/post.js';
import { latestOf, nextTimestamp, type Timestamp } from '../../model/timestamp.js';
import type { NewPost, PostForm, PostStore } from '../../ports/post-store.js';
import type { AfterSlice } from '../../ports/slice.js';
import type { Tables } from './tables.js';

/** No method awaits anything, so each is atomic. */
export class MemoryPosts implements PostStore {
  readonly #tables: Tables;
  /** Kept after that post is deleted, so that a reader who has paged past it does not miss the next one. */
  #lastCreatedAt: Timestamp | undefined;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create({ title, content, authorId }: NewPost, now: Timestamp): Promise<Post | 'author-not-found'> {
    if (this.#tables.users.get(authorId) === undefined) return Promise.resolve('author-not-found');
    const last = this.#lastCreatedAt;
    const createdAt = last === undefined ? now : latestOf(now, nextTimestamp(last));
    this.#lastCreatedAt = createdAt;
    const post = Object.freeze<Post>({
      id: this.#tables.posts.nextId(),
      title,
      content,
      authorId,
      createdAt,
    });
    this.#tables.posts.add(post);
    return Promise.resolve(post);
  }

  find(id: string): Promise<Post | undefined> {
    return Promise.resolve(this.#tables.posts.get(id));
  }

  list(slice: AfterSlice, form?: PostForm): Promise<readonly Post[]> {
    return Promise.resolve(inForm(this.#tables.posts.slice(slice), form));
  }

  listSince(since: Timestamp | undefined, limit: number): Promise<readonly Post[]> {
    const later = (post: Post) => since === undefined || post.createdAt > since;
    return Promise.resolve(this.#tables.posts.sliceFrom(later, limit));
  }

  listBefore(before: Id | undefined, limit: number): Promise<readonly Post[]> {
    return Promise.resolve(this.#tables.posts.sliceBefore(before, limit));
  }

  listByAuthor(authorId: string, slice: AfterSlice, form?: PostForm): Promise<readonly Post[]> {
    return Promise.resolve(inForm(this.#tables.postsByAuthor.get(authorId)?.slice(slice) ?? [], form));
  }

  listByAuthors(
    authorIds: readonly string[],
    limit: number,
    total = Infinity,
    form?: PostForm,
  ): Promise<readonly (readonly Post[])[]> {
    const lists = new Map<string, readonly Post[]>();
    let left = total;
    for (const id of new Set(authorIds)) {
      const slice = { after: undefined, limit: Math.min(limit, left) };
      const list = this.#tables.postsByAuthor.get(id)?.slice(slice) ?? [];
      lists.set(id, list);
      left -= list.length;
    }
    return Promise.resolve(authorIds.map((id) => [...inForm(lists.get(id) ?? [], form)]));
  }
}

function inForm(posts: readonly Post[], form: PostForm | undefined): readonly Post[] {
  return form === 'without-content' ? posts.map(withoutContent) : posts;
}

/** Much faster than to spread a frozen object. */
function withoutContent({ id, title, authorId, createdAt }: Post): Post {
  return { id, title, content: '', authorId, createdAt };
}
