/** Reads long lists of posts, and those that a subscriber missed, so that few of them are in memory at once, however long their texts are. */
import { setImmediate as turn } from 'node:timers/promises';
import { answerTooLarge, maxWholeList, type AfterSlice } from '../../model/page.js';
import type { Post } from '../../model/post.js';
import type { PostForm, PostStore } from '../../ports/post-store.js';
import { Semaphore } from '../../pacing/pacing.js';
import { batchSize, inParts, type Keep, keepAll, passingById } from '../reads/lists.js';
import type { Id } from '../../model/id.js';
import type { StoredValues } from '../../model/stored.js';
import { ServiceError } from '../../model/error.js';

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

interface PostReader {
  /** Ascending by id. */
  list(slice: AfterSlice, stored?: StoredValues): Promise<readonly Post[]>;

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
    list: (slice, stored) =>
      inParts(
        passingById(passes, (part) => read(() => store.list(part, form, stored))),
        kept,
        size,
      )(slice),

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

const pageSize = 100;

/** Posts as new objects: what was made of an event for other subscribers is kept with it, and a store may keep its records for ever. */
export const asEvents = (page: readonly Post[]): readonly Post[] => page.map((post) => ({ ...post }));

/** The reads of all subscribers that return at once, as after a restart. */
export class PostReplays {
  readonly #posts: PostStore;
  /** Few at once, because others need the store too. */
  readonly #permits = new Semaphore(4, Infinity);

  constructor(posts: PostStore) {
    this.#posts = posts;
  }

  /** @throws ServiceError `limit-exceeded` when there are more than 10,000 posts after this one */
  async requireFew(after: Id): Promise<void> {
    const [newest] = await this.#posts.listBefore(undefined, 1);
    if (newest === undefined || BigInt(newest.id) - BigInt(after) <= maxWholeList) return;
    // Deleted posts leave gaps, so only a count is exact.
    let count = 0;
    const countAll = inParts(
      (slice) => this.#permits.run(() => this.#posts.list(slice, 'without-content')),
      (part: readonly Post[]) => {
        count += part.length;
        return [];
      },
      batchSize,
    );
    await countAll({ after, limit: maxWholeList + 1 });
    if (count > maxWholeList) {
      const advice = 'read them with posts(limit, after), then subscribe since the last one';
      throw new ServiceError('limit-exceeded', `More than ${maxWholeList} posts were missed: ${advice}`);
    }
  }

  /**
   * Passes on the posts after one, in order.
   *
   * @param take - called with each page; the next page is read when it has resolved. False ends the reading
   * @returns the id of the last post when no page was full: there may be more by now
   */
  async read(after: Id, take: (page: readonly Post[]) => Promise<boolean>): Promise<Id> {
    let last = after;
    for (;;) {
      const position = last;
      const page = await this.#permits.run(() => this.#posts.list({ after: position, limit: pageSize }));
      last = page.at(-1)?.id ?? last;
      if (!(await take(asEvents(page))) || page.length < pageSize) return last;
    }
  }
}
