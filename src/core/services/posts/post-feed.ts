/**
 * Delivers every new post to the subscribers of this process.
 *
 * Posts become visible in the order of their ids (`PostStore`). An event therefore only signals that there is something to
 * read; the posts themselves are read from the store, from where the last read ended. Events may arrive in any order, and a
 * broken connection may lose some: each post is still read once per process, and reaches each subscriber once and in order.
 * A subscriber receives the posts that were stored after it subscribed, and none from before.
 */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../model/error.js';
import { type Id, compareIds } from '../../model/id.js';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { EventListener, Events } from '../../ports/events.js';
import type { PostStore } from '../../ports/post-store.js';
import type { SubscriberBounds } from '../context/service-context.js';
import { BoundedQueue } from './bounded-queue.js';

/**
 * With these bounds, a slow reader never slows the others below 50 posts per second, and a reader that keeps that rate is never
 * dropped.
 */
export const defaultSubscriberBounds: SubscriberBounds = {
  items: 1_000,
  bytes: 8 * 1024 * 1024,
  patienceMs: 2_000,
};

export interface PostFeedOptions {
  readonly posts: PostStore;
  /** Announces the posts of other processes; without it, only the posts of this process are delivered. */
  readonly events: Events | undefined;
  readonly bounds: Partial<SubscriberBounds> | undefined;
  /** Called with failures that cannot be reported to a caller. */
  readonly report: ((error: unknown) => void) | undefined;
}

const topic = 'POST_ADDED';
const pageSize = 100;
const pauseAfterFailureMs = 1_000;
const pauseMs = 5;
const longestPauseMs = 50;

interface Subscriber {
  readonly queue: BoundedQueue<Post>;
  readonly passes: ((post: Post) => boolean) | undefined;
  /** The creation time of the newest post at the time of subscribing; unset until it has been read. */
  since?: Timestamp;
}

/** The progress of reading the store; exists while there are subscribers. */
interface Reading {
  /** The creation time of the last post that was read; undefined in an empty store. */
  position: Timestamp | undefined;
  lastId?: Id;
  isUnderWay: boolean;
  /** Whether there may be posts that were stored after the store was last read. */
  hasMore: boolean;
}

export class PostFeed implements EventListener {
  readonly #options: PostFeedOptions;
  readonly #bounds: SubscriberBounds;
  readonly #subscribers = new Set<Subscriber>();
  #subscription: Promise<unknown> | undefined;
  #reading: Reading | undefined;

  constructor(options: PostFeedOptions) {
    this.#options = options;
    this.#bounds = { ...defaultSubscriberBounds, ...options.bounds };
  }

  /**
   * Announces a stored post to every process. Never rejects, because the post is already stored. If the announcement fails, the
   * failure is reported, and other processes read the post with the next one or when their connection is restored.
   */
  async announce({ id }: Post): Promise<void> {
    this.received(id);
    try {
      await this.#options.events?.publish(topic, id);
    } catch (error) {
      this.#options.report?.(error);
    }
  }

  /**
   * @param passes decides which posts the subscriber may see; all unless given. If it throws, the error is reported and the post is
   *   left out
   * @returns an iterator, once it will get every later post. It fails with `limit-exceeded` if it is read so slowly that more posts
   *   wait than the bounds allow
   * @throws ServiceError `unavailable` when the store or the events do not answer
   */
  async subscribe(passes?: (post: Post) => boolean): Promise<AsyncIterableIterator<Post>> {
    await this.#listen();
    const queue = new BoundedQueue<Post>(this.#bounds, () => this.#leave(subscriber));
    const subscriber: Subscriber = { queue, passes };
    this.#subscribers.add(subscriber);
    try {
      const [newest] = await this.#options.posts.listBefore(undefined, 1);
      const since = newest?.createdAt ?? '';
      subscriber.since = since;
      queue.discardWhile(({ createdAt }) => createdAt <= since);
      this.#reading ??= { position: newest?.createdAt, isUnderWay: false, hasMore: false };
      this.#readOn();
    } catch (error) {
      await queue.return();
      throw error;
    }
    return queue;
  }

  received(id: Id): void {
    const lastId = this.#reading?.lastId;
    if (lastId === undefined || compareIds(id, lastId) > 0) this.#readOn();
  }

  interrupted(): void {
    this.#readOn();
  }

  async #listen(): Promise<void> {
    const subscription = (this.#subscription ??= this.#options.events?.subscribe(topic, this));
    try {
      await subscription;
    } catch (error) {
      if (this.#subscription === subscription) this.#subscription = undefined;
      throw error;
    }
  }

  #leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size === 0) this.#reading = undefined;
  }

  /** Reads the unread posts: now, or when the current read has finished. */
  #readOn(): void {
    const reading = this.#reading;
    if (reading === undefined) return;
    reading.hasMore = true;
    if (reading.isUnderWay) return;
    void this.#read(reading);
  }

  /** Never rejects. */
  async #read(reading: Reading): Promise<void> {
    reading.isUnderWay = true;
    while (reading.hasMore && this.#reading === reading) {
      reading.hasMore = false;
      try {
        const page = await this.#options.posts.listSince(reading.position, pageSize);
        await this.#deliver(page, reading);
        reading.hasMore ||= page.length === pageSize;
      } catch (error) {
        this.#options.report?.(error);
        reading.hasMore = true;
        await sleep(pauseAfterFailureMs, undefined, { ref: false });
      }
    }
    reading.isUnderWay = false;
  }

  async #deliver(page: readonly Post[], reading: Reading): Promise<void> {
    const patience = { leftMs: this.#bounds.patienceMs };
    for (const post of page) {
      const bytes = sizeOf(post);
      await this.#makeRoom(bytes, patience);
      if (this.#reading !== reading) return;
      for (const subscriber of this.#subscribers) {
        if (this.#isFor(subscriber, post)) subscriber.queue.push(post, bytes);
      }
      reading.position = post.createdAt;
      reading.lastId = post.id;
      // Lets subscribers and other requests run before the next post.
      await turn();
    }
  }

  #isFor({ since, passes }: Subscriber, post: Post): boolean {
    if (since !== undefined && post.createdAt <= since) return false;
    try {
      return passes === undefined || passes(post);
    } catch (error) {
      this.#options.report?.(error);
      return false;
    }
  }

  /** Waits for subscribers whose queues are full until the patience is used up, then drops those that are still full. */
  async #makeRoom(bytes: number, patience: { leftMs: number }): Promise<void> {
    const behind = (): readonly Subscriber[] =>
      [...this.#subscribers].filter(({ queue }) => !queue.hasRoom(bytes));
    while (behind().length > 0 && patience.leftMs > 0) {
      const start = performance.now();
      await sleep(pauseMs);
      // Only a part of a longer pause counts: the event loop was blocked, so subscribers could not read either.
      patience.leftMs -= Math.min(performance.now() - start, longestPauseMs);
    }
    for (const { queue } of behind()) {
      queue.fail(new ServiceError('limit-exceeded', 'The subscriber reads too slowly'));
    }
  }
}

function sizeOf({ title, content }: Post): number {
  return Buffer.byteLength(title) + Buffer.byteLength(content);
}
