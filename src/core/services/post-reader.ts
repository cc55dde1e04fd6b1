/** Reads long lists of posts so that few of them are in memory at once, however long their texts are. */
import { setImmediate as turn } from 'node:timers/promises';
import { answerTooLarge, maxWholeList } from '../model/page.js';
import type { Post } from '../model/post.js';
import type { PostForm, PostStore } from '../ports/post-store.js';
import type { AfterSlice } from '../ports/slice.js';
import { passingById } from './filtered-lists.js';
import type { Semaphore } from './semaphore.js';
import { batchSize, inParts, type Keep, keepAll } from './whole-list.js';

/** Each may have a text of 100,000 characters. */
const wholeBatchSize = 20;

/** What the caller needs of the posts of a list. */
export interface PostReading {
  readonly form: PostForm;
  readonly keep: Keep<Post>;
}

export const wholePosts: PostReading = { form: 'whole', keep: keepAll };

/** The posts of an author, or why they are not listed. */
export type AuthoredPosts = readonly Post[] | 'too-many';

/** How many posts may still be read; those that a function hides count too. */
interface Bound {
  left: number;
}

export class PostReader {
  readonly #store: PostStore;
  /** Those of all callers. */
  readonly #permits: Semaphore;
  readonly #passes: ((post: Post) => boolean) | undefined;
  readonly #reading: PostReading;
  readonly #form: PostForm;
  readonly #size: number;

  constructor(
    store: PostStore,
    permits: Semaphore,
    passes: ((post: Post) => boolean) | undefined,
    reading: PostReading,
  ) {
    this.#store = store;
    this.#permits = permits;
    this.#passes = passes;
    this.#reading = reading;
    // What decides who may see a post may look at all of it.
    this.#form = passes === undefined ? reading.form : 'whole';
    this.#size = this.#form === 'whole' ? wholeBatchSize : batchSize;
  }

  /** Ascending by id. */
  list(slice: AfterSlice): Promise<readonly Post[]> {
    const list = passingById(this.#passes, (part) => this.#read((form) => this.#store.list(part, form)));
    return inParts(list, (posts) => this.#kept(posts), this.#size)(slice);
  }

  /**
   * Reads the posts of several authors at once where they are few. Otherwise it reads those of one half of the authors after
   * the other, and those of a single author in parts.
   *
   * @param most - the limit of posts in all
   * @returns one entry per author, in the order of the ids, ascending by id
   * @throws ServiceError `limit-exceeded` when there are more than `most`
   */
  byAuthors(authorIds: readonly string[], most: number): Promise<readonly AuthoredPosts[]> {
    return this.#byAuthors(authorIds, { left: most });
  }

  async #byAuthors(authorIds: readonly string[], bound: Bound): Promise<readonly AuthoredPosts[]> {
    const few = Math.min(bound.left, this.#size);
    const lists = await this.#read((form) => this.#store.listByAuthors(authorIds, few + 1, few + 1, form));
    const count = lists.reduce((sum, { length }) => sum + length, 0);
    if (count > bound.left) throw answerTooLarge();
    if (count <= few) {
      bound.left -= count;
      return lists.map((posts) => this.#keepVisible(posts));
    }
    const [first = '', ...others] = authorIds;
    if (others.length === 0) return [await this.#byAuthor(first, bound)];
    const middle = Math.ceil(authorIds.length / 2);
    const lower = await this.#byAuthors(authorIds.slice(0, middle), bound);
    return [...lower, ...(await this.#byAuthors(authorIds.slice(middle), bound))];
  }

  async #byAuthor(authorId: string, bound: Bound): Promise<AuthoredPosts> {
    let count = 0;
    const list = inParts(
      (slice) => this.#read((form) => this.#store.listByAuthor(authorId, slice, form)),
      (posts) => {
        count += posts.length;
        bound.left -= posts.length;
        if (bound.left < 0) throw answerTooLarge();
        return this.#keepVisible(posts);
      },
      this.#size,
    );
    const posts = await list({ after: undefined, limit: maxWholeList + 1 });
    return count > maxWholeList ? 'too-many' : posts;
  }

  #keepVisible(posts: readonly Post[]): readonly Post[] {
    return this.#kept(this.#passes === undefined ? posts : posts.filter(this.#passes));
  }

  #kept(posts: readonly Post[]): readonly Post[] {
    const { form, keep } = this.#reading;
    return keep(form === this.#form ? posts : posts.map((post) => ({ ...post, content: '' })));
  }

  #read<T>(read: (form: PostForm) => Promise<T>): Promise<T> {
    return this.#permits.run(async () => {
      // The answer may have failed while this read waited.
      this.#reading.keep([]);
      const result = await read(this.#form);
      // Some stores answer at once: many lists of one answer must not keep others from being served.
      if (this.#permits.isBusy) await turn();
      return result;
    });
  }
}
