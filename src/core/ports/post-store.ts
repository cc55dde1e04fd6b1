/** The part of the storage port that keeps posts. */
import type { Id } from '../model/id.js';
import type { Post } from '../model/post.js';
import type { Timestamp } from '../model/timestamp.js';
import type { AfterSlice } from '../model/page.js';

/** The fields of a new post; the store adds the id and the time. */
export type NewPost = Omit<Post, 'id' | 'createdAt'>;

/** Whether posts are read whole, or with an empty `content`, which may be most of their size. */
export type PostForm = 'whole' | 'without-content';

/**
 * Posts become visible in the order of their ids, and `createdAt` grows strictly in that order, also with concurrent writers:
 * a reader who has read up to a post has seen every post before it. A store therefore commits creates one after the other.
 * The cost of every list is that of the rows it returns, and of their form, which is whole unless given.
 */
export interface PostStore {
  /**
   * Stores a post in one step. `createdAt` is the later of `now` and one microsecond after that of the last post ever
   * created.
   */
  create(post: NewPost, now: Timestamp): Promise<Post | 'author-not-found'>;

  find(id: string): Promise<Post | undefined>;

  /** Ascending by id. */
  list(slice: AfterSlice, form?: PostForm): Promise<readonly Post[]>;

  /** Those created later than `since`, or all, ascending by `createdAt`. */
  listSince(since: Timestamp | undefined, limit: number): Promise<readonly Post[]>;

  /** Those whose id is less than `before` (a canonical id or `"0"`), or all, descending by id. */
  listBefore(before: Id | undefined, limit: number): Promise<readonly Post[]>;

  /** Those of one author, ascending by id. */
  listByAuthor(authorId: string, slice: AfterSlice, form?: PostForm): Promise<readonly Post[]>;

  /**
   * The posts of several authors in one read.
   *
   * @param limit the most posts of each author
   * @param total the most posts in total; where there are more, it is not specified which are returned. No bound unless given
   * @returns one list per author, in the order of `authorIds`, ascending by id; ids may repeat
   */
  listByAuthors(
    authorIds: readonly string[],
    limit: number,
    total?: number,
    form?: PostForm,
  ): Promise<readonly (readonly Post[])[]>;
}
