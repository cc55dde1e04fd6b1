/** The posts that a subscriber missed, read in pages from the store as fast as the subscriber takes them. */
import type { Id } from '../../model/id.js';
import { maxWholeList } from '../../model/page.js';
import { ServiceError } from '../../model/error.js';
import type { Post } from '../../model/post.js';
import type { PostStore } from '../../ports/post-store.js';
import { batchSize, inParts } from '../context/lists.js';
import { Semaphore } from '../../pacing/semaphore.js';

const pageSize = 100;

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
      if (!(await take(page)) || page.length < pageSize) return last;
    }
  }
}
