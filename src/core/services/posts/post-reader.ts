/** Reads long lists of posts so that few of them are in memory at once, however long their texts are. */
import { setImmediate as turn } from 'node:timers/promises';
import { answerTooLarge, maxWholeList, type AfterSlice } from '../../model/page.js';
import type { Post } from '../../model/post.js';
import type { PostForm, PostStore } from '../../ports/post-store.js';
import type { Semaphore } from '../../pacing/semaphore.js';
import { batchSize, inParts, type Keep, keepAll, passingById } from '../context/lists.js';

/** Small, because each post may have a text of 100,000 characters. */
const wholeBatchSize = 20;

/** How to read the posts of a list: in which form, and with which `Keep`. */
export interface PostReading {
  readonly form: PostForm;
  readonly keep: Keep<Post>;
}

export const wholePosts: PostReading = { form: 'whole', keep: keepAll };

/** The posts of an author, or the reason why they are not listed. */
type AuthoredPosts = readonly Post[] | 'too-many';

/** The number of posts that may still be read, including those that a rule function hides. */
interface Bound {
  left: number;
}

export interface PostReader {
  /** Ascending by id. */
  list(slice: AfterSlice): Promise<readonly Post[]>;

  /**
   * Reads the posts of several authors in one read if there are few. Otherwise it reads the posts of one half of the authors after
   * the other, and those of a single author in parts.
   *
   * @param bound - the maximum number of posts in total
   * @returns one entry per author, in the order of the ids, ascending by id
   * @throws ServiceError `limit-exceeded` when there are more
   */
  byAuthors(authorIds: readonly string[], bound: Bound): Promise<readonly AuthoredPosts[]>;
}

/** @param permits - shared by all callers */
export function postReader(
  store: PostStore,
  permits: Semaphore,
  passes: ((post: Post) => boolean) | undefined,
  reading: PostReading,
): PostReader {
  // A rule function may look at the whole post.
  const form = passes === undefined ? reading.form : 'whole';
  const size = form === 'whole' ? wholeBatchSize : batchSize;

  const kept = (posts: readonly Post[]): readonly Post[] =>
    reading.keep(reading.form === form ? posts : posts.map((post) => ({ ...post, content: '' })));

  const keptVisible = (posts: readonly Post[]): readonly Post[] =>
    kept(passes === undefined ? posts : posts.filter(passes));

  function read<T>(work: () => Promise<T>): Promise<T> {
    return permits.run(async () => {
      // The answer may have failed while this read waited.
      reading.keep([]);
      const result = await work();
      // Some stores answer synchronously: many lists of one answer must not block other requests.
      if (permits.isBusy) await turn();
      return result;
    });
  }

  async function byAuthor(authorId: string, bound: Bound): Promise<AuthoredPosts> {
    let count = 0;
    const list = inParts(
      (slice) => read(() => store.listByAuthor(authorId, slice, form)),
      (posts) => {
        count += posts.length;
        bound.left -= posts.length;
        if (bound.left < 0) throw answerTooLarge();
        return keptVisible(posts);
      },
      size,
    );
    const posts = await list({ after: undefined, limit: maxWholeList + 1 });
    return count > maxWholeList ? 'too-many' : posts;
  }

  const reader: PostReader = {
    list: inParts(
      passingById(passes, (part) => read(() => store.list(part, form))),
      kept,
      size,
    ),

    async byAuthors(authorIds, bound) {
      const few = Math.min(bound.left, size);
      const lists = await read(() => store.listByAuthors(authorIds, few + 1, few + 1, form));
      const count = lists.reduce((sum, { length }) => sum + length, 0);
      if (count > bound.left) throw answerTooLarge();
      if (count <= few) {
        bound.left -= count;
        return lists.map(keptVisible);
      }
      const [first = '', ...others] = authorIds;
      if (others.length === 0) return [await byAuthor(first, bound)];
      const middle = Math.ceil(authorIds.length / 2);
      const lower = await reader.byAuthors(authorIds.slice(0, middle), bound);
      return [...lower, ...(await reader.byAuthors(authorIds.slice(middle), bound))];
    },
  };
  return reader;
}
