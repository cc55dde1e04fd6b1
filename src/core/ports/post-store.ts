/** The part of the storage port that keeps posts. */
import type { Id } from '../model/id.js';
import type { Post } from '../model/post.js';
import type { StoredValues } from '../model/stored.js';
import type { Timestamp } from '../model/timestamp.js';
import type { AfterSlice } from '../model/page.js';

/** The fields of a new post; the store adds the id and the time. */
export type NewPost = Omit<Post, 'id' | 'createdAt'>;

/** Whether posts are read whole, or with an empty `content`, which may be most of their size. */
export type PostForm = 'whole' | 'without-content';

/**
 * Posts become visible in the order of their ids, and `createdAt` grows strictly in that order, even with concurrent writers: a
 * reader who has read up to a post has seen every post before it. A store therefore commits creates one after the other, or together. The cost
 * of every list depends only on the rows that it returns and on their form, which is whole unless given.
 *
 * Cascades: a post is deleted with its author, in the step of `UserStore.delete`; nothing else deletes a post.
 */
export interface PostStore {
  /**
   * Stores a post in one step. `createdAt` is `now`, or one microsecond after the `createdAt` of the last post ever created if that
   * is later. Of posts that are stored in one step, the latest `now` counts.
   */
  create(post: NewPost, now: Timestamp): Promise<Post | 'author-not-found'>;

  find(id: string): Promise<Post | undefined>;

  /** Ascending by id. @param stored - only those with these values, or defaults, of the application's fields */
  list(slice: AfterSlice, form?: PostForm, stored?: StoredValues): Promise<readonly Post[]>;

  /** Posts created later than `since`, or all posts, ascending by `createdAt`. */
  listSince(since: Timestamp | undefined, limit: number, stored?: StoredValues): Promise<readonly Post[]>;

  /** Posts whose id is less than `before` (a canonical id or `"0"`), or all posts, descending by id. */
  listBefore(before: Id | undefined, limit: number, stored?: StoredValues): Promise<readonly Post[]>;

  /** The posts of one author, ascending by id. */
  listByAuthor(authorId: string, slice: AfterSlice, form?: PostForm): Promise<readonly Post[]>;

  /**
   * The posts of several authors in one read.
   *
   * @param limit the maximum number of posts per author
   * @param total the maximum number of posts in total; if there are more, it is not specified which are returned. No bound unless
   *   given
   * @returns one list per author, in the order of `authorIds`, ascending by id; ids may repeat
   */
  listByAuthors(
    authorIds: readonly string[],
    limit: number,
    total?: number,
    form?: PostForm,
  ): Promise<readonly (readonly Post[])[]>;
}
