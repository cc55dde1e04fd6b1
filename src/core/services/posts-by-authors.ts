/** Reads the posts of several authors so that few of them are in memory at once, however long they are. */
import { answerTooLarge, maxWholeList } from '../model/page.js';
import type { Post } from '../model/post.js';
import type { PostStore } from '../ports/post-store.js';
import { batchSize, type Keep } from './whole-list.js';

/** The posts of an author, or why they are not listed. */
export type AuthoredPosts = readonly Post[] | 'too-many';

/**
 * Reads them at once where they are few. Otherwise it reads those of one half of the authors after the other, and those of
 * a single author in batches.
 *
 * @param most - the limit of posts in all
 * @param keep - takes the posts of one author, or a batch of them; it may leave out some
 * @returns one entry per author, in the order of the ids, ascending by id
 * @throws ServiceError `limit-exceeded` when there are more than `most`
 */
export async function readByAuthors(
  store: PostStore,
  authorIds: readonly string[],
  most: number,
  keep: Keep<Post>,
): Promise<readonly AuthoredPosts[]> {
  let left = most;

  async function readFew(ids: readonly string[]): Promise<readonly AuthoredPosts[]> {
    const few = Math.min(left, batchSize);
    const lists = await store.listByAuthors(ids, few + 1, few + 1);
    const count = lists.reduce((sum, { length }) => sum + length, 0);
    if (count > left) throw answerTooLarge();
    if (count <= few) {
      left -= count;
      return lists.map(keep);
    }
    const [first = '', ...others] = ids;
    if (others.length === 0) return [await readMany(first)];
    const middle = Math.ceil(ids.length / 2);
    return [...(await readFew(ids.slice(0, middle))), ...(await readFew(ids.slice(middle)))];
  }

  async function readMany(authorId: string): Promise<AuthoredPosts> {
    const kept: Post[] = [];
    for (let after: string | undefined, count = 0; ;) {
      const batch = await store.listByAuthor(authorId, { after, limit: batchSize });
      count += batch.length;
      left -= batch.length;
      if (left < 0) throw answerTooLarge();
      if (count > maxWholeList) return 'too-many';
      kept.push(...keep(batch));
      if (batch.length < batchSize) return kept;
      after = batch.at(-1)?.id;
    }
  }

  return await readFew(authorIds);
}
