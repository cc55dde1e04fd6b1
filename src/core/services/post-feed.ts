/**
 * Hands every new post to the subscribers of this process.
 *
 * Posts become visible in the order of their ids (`PostStore`), so an event is taken as a sign that there is something to
 * read, and the posts are read from the store, from where the last reading ended. Whatever order events arrive in, and
 * whatever of them a broken connection swallowed, each post is read once a process, and reaches each subscriber once, in
 * order. A subscriber is shown what was stored after it subscribed, and nothing from before.
 */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../model/error.js';
import { type Id, compareIds } from '../model/id.js';
import type { Post } from '../model/post.js';
import type { Timestamp } from '../model/timestamp.js';
import type { EventListener, Events } from '../ports/events.js';
import type { PostStore } from '../ports/post-store.js';
import { BoundedQueue, type QueueBounds } from './bounded-queue.js';

/** How far a subscriber may be behind. Posts are shared: many who are behind take no more memory than one. */
export interface SubscriberBounds extends QueueBounds {
  /** How long, in milliseconds, those whose queues are full may hold up a page of 100 posts, all together. */
  readonly patienceMs: number;
}

/** With these, no reader can slow others down to less than 50 posts a second, and none that reads so fast is given up. */
export const defaultSubscriberBounds: SubscriberBounds = {
  items: 1_000,
  bytes: 8 * 1024 * 1024,
  patienceMs: 2_000,
};

export interface PostFeedOptions {
  readonly posts: PostStore;
  /** What other processes tell of; without it, only this process's posts are known. */
  readonly events: Events | undefined;
  readonly bounds: Partial<SubscriberBounds> | undefined;
  /** Told of failures that have no caller. */
  readonly report: ((error: unknown) => void) | undefined;
}

const topic = 'POST_ADDED';
const pageSize = 100;
const pauseAfterFailureMs = 1_000;
const pauseMs = 5;
const longestPauseMs = 50;

interface Subscriber {
  readonly queue: BoundedQueue<Post>;
  /** When the last post was made that was there before it subscribed; unknown for a moment. */
  since?: Timestamp;
}

/** How far the store was read: from the first subscriber's coming until the last one has left. */
interface Reading {
  /** When the last post was made that was read; undefined in an empty store. */
  position: Timestamp | undefined;
  lastId?: Id;
  isUnderWay: boolean;
  /** Whether there was a sign since the store was last asked. */
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
   * Tells every process of a stored post. Never fails: the post is stored, so what was asked for is done. A post that could
   * not be told of reaches other processes with the next one, or when their connection is made anew; that is reported.
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
   * @returns once every later post will be in it. It fails with `limit-exceeded` when it is not read for so long that more
   *   waits than the bounds allow
   * @throws ServiceError `unavailable` when the store or the events do not answer
   */
  async subscribe(): Promise<AsyncIterableIterator<Post, void, void>> {
    await this.#listen();
    const queue = new BoundedQueue<Post>(this.#bounds, () => this.#leave(subscriber));
    const subscriber: Subscriber = { queue };
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

  /** Reads what there is to read, at the latest when the reading under way is done. */
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
      for (const { queue, since } of this.#subscribers) {
        if (since === undefined || post.createdAt > since) queue.push(post, bytes);
      }
      reading.position = post.createdAt;
      reading.lastId = post.id;
      // Readers take their share, and other requests theirs, before the next post.
      await turn();
    }
  }

  /** Waits for readers that are behind, for as long as there is patience, and gives up those that still are. */
  async #makeRoom(bytes: number, patience: { leftMs: number }): Promise<void> {
    const behind = (): readonly Subscriber[] =>
      [...this.#subscribers].filter(({ queue }) => !queue.hasRoom(bytes));
    while (behind().length > 0 && patience.leftMs > 0) {
      const start = performance.now();
      await sleep(pauseMs);
      // A process that was held up itself has not waited for anybody: its readers had no chance to take something.
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
