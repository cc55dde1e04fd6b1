/** Joins the posts that wait in this process: they are written together, under one lock and with one commit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Post } from '../../model/post.js';
import { type Timestamp, latestOf } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import { type Waiting, answerBatch } from './answer-batch.js';

export type StoredPost = Pick<Post, 'id' | 'createdAt'> | 'author-not-found';

/** @returns one entry per post, in their order */
export type WritePosts = (posts: readonly NewPost[], now: Timestamp) => Promise<readonly StoredPost[]>;

interface WaitingPost extends Waiting<StoredPost> {
  readonly post: NewPost;
  readonly now: Timestamp;
}

const mostPosts = 100;
const mostCharacters = 1_000_000;

/**
 * The pause after a write of several posts, in milliseconds: clients that have their answers send their next posts in it. The lock is
 * not held meanwhile.
 */
const pauseMs = 2;

export class PostBatches {
  readonly #write: WritePosts;
  #waiting: WaitingPost[] = [];
  #isWriting = false;

  constructor(write: WritePosts) {
    this.#write = write;
  }

  /** The time of a post is `now`, or up to the time of the write if other posts are written with it. */
  create(post: NewPost, now: Timestamp): Promise<StoredPost> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ post, now, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      await this.#writeBatch(batch);
      if (batch.length > 1) await sleep(pauseMs);
    }
    this.#isWriting = false;
  }

  #nextBatch(): readonly WaitingPost[] {
    let [count, characters] = [0, 0];
    for (const { post } of this.#waiting) {
      characters += post.title.length + post.content.length;
      if (count === mostPosts || (count > 0 && characters > mostCharacters)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  #writeBatch(batch: readonly WaitingPost[]): Promise<void> {
    const write = (part: readonly WaitingPost[]) =>
      this.#write(
        part.map(({ post }) => post),
        part.map(({ now }) => now).reduce(latestOf),
      );
    return answerBatch<StoredPost, WaitingPost>(batch, write, 'author-not-found');
  }
}
