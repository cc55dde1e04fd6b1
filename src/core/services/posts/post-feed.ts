/**
 * Delivers every new post to the subscribers of this process.
 *
 * Posts become visible in the order of their ids (`PostStore`). An event therefore only signals that there is something to
 * read; the posts themselves are read from the store, from where the last read ended. Events may arrive in any order, and a
 * broken connection may lose some: each post is still read once per process, and reaches each subscriber once and in order.
 * A subscriber receives the posts that were stored after it subscribed, and none from before, unless it returns and names the last
 * post that it has: it then gets those that it missed first.
 */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../model/error.js';
import { type Id, compareIds } from '../../model/id.js';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { EventListener, Events } from '../../ports/events.js';
import type { PostStore } from '../../ports/post-store.js';
import type { SubscriberBounds } from '../context/service-context.js';
import { BoundedQueue, defaultSubscriberBounds } from './bounded-queue.js';
import { PostReplays, asEvents } from './post-reader.js';

interface PostFeedOptions {
  readonly posts: PostStore;
  /** Announces the posts of other processes; without it, only the posts of this process are delivered. */
  readonly events: Events | undefined;
  readonly bounds: Partial<SubscriberBounds> | undefined;
  /** Called when posts were read, before they are delivered: rights that were lost before then must be known. Never rejects. */
  readonly settle: () => Promise<void>;
  /** Called with failures that cannot be reported to a caller. */
  readonly report: ((error: unknown) => void) | undefined;
  /** Called with each post that was delivered to the subscribers. */
  readonly delivered: ((post: Post) => void) | undefined;
}

/** The subscribers of this process, and the posts that wait in their queues. */
export interface FeedState {
  readonly subscribers: number;
  readonly waiting: number;
  /** The posts in the longest queue. */
  readonly longest: number;
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
  /** New posts, while the last posts that it missed are read. */
  held?: Post[] | undefined;
}

/** The new posts of a subscriber. */
export interface PostSubscription extends AsyncIterableIterator<Post> {
  /** The id of the last post before them, which may be 0. */
  readonly lastEventId: Id;
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
  readonly #replays: PostReplays;
  readonly #subscribers = new Set<Subscriber>();
  #subscription: Promise<unknown> | undefined;
  #reading: Reading | undefined;

  constructor(options: PostFeedOptions) {
    this.#options = options;
    this.#bounds = { ...defaultSubscriberBounds, ...options.bounds };
    this.#replays = new PostReplays(options.posts);
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
   * @param after the last post that the subscriber has, if it returns: it gets all later ones
   * @returns an iterator, once it will get every later post. It fails with `limit-exceeded` if it is read so slowly that more posts
   *   wait than the bounds allow
   * @throws ServiceError `unavailable` when the store or the events do not answer, `limit-exceeded` when it missed more than 10,000
   */
  async subscribe(passes?: (post: Post) => boolean, after?: Id): Promise<PostSubscription> {
    await this.#listen();
    if (after !== undefined) await this.#replays.requireFew(after);
    const queue = new BoundedQueue<Post>(this.#bounds, () => this.#leave(subscriber));
    const subscriber: Subscriber = { queue, passes };
    if (after !== undefined) void this.#replay(subscriber, after);
    const lastEventId = after ?? (await this.#join(subscriber))?.id ?? '0';
    return Object.assign(queue, { lastEventId });
  }

  /** Delivers the posts that were missed, then joins the others. Never rejects. */
  async #replay(subscriber: Subscriber, after: Id): Promise<void> {
    const { queue } = subscriber;
    const push = (post: Post): void => {
      if (this.#passes(subscriber, post)) queue.push(post, sizeOf(post));
    };
    try {
      const last = await this.#replays.read(after, async (page) => {
        page.forEach(push);
        return await queue.emptied();
      });
      if (queue.isEnded) return;
      // From now on the feed delivers too: its posts are held until those before them have been read.
      const held = (subscriber.held = new Array<Post>());
      const newest = await this.#join(subscriber);
      await this.#replays.read(last, (page) => {
        page.filter(({ id }) => newest !== undefined && compareIds(id, newest.id) <= 0).forEach(push);
        return Promise.resolve(!queue.isEnded);
      });
      subscriber.held = undefined;
      held.filter(({ createdAt }) => newest === undefined || createdAt > newest.createdAt).forEach(push);
    } catch (error) {
      queue.fail(error);
    }
  }

  /** Adds a subscriber of the posts after the newest one. @returns the newest one */
  async #join(subscriber: Subscriber): Promise<Post | undefined> {
    const { queue } = subscriber;
    this.#subscribers.add(subscriber);
    try {
      const [newest] = await this.#options.posts.listBefore(undefined, 1);
      const since = newest?.createdAt ?? '';
      subscriber.since = since;
      queue.discardWhile(({ createdAt }) => createdAt <= since);
      if (queue.isEnded) return newest;
      this.#reading ??= { position: newest?.createdAt, isUnderWay: false, hasMore: false };
      this.#readOn();
      return newest;
    } catch (error) {
      this.#leave(subscriber);
      throw error;
    }
  }

  received(id: Id): void {
    const lastId = this.#reading?.lastId;
    if (lastId === undefined || compareIds(id, lastId) > 0) this.#readOn();
  }

  interrupted(): void {
    this.#readOn();
  }

  get state(): FeedState {
    const lengths = [...this.#subscribers].map(({ queue }) => queue.length);
    return {
      subscribers: lengths.length,
      waiting: lengths.reduce((sum, length) => sum + length, 0),
      longest: lengths.reduce((most, length) => Math.max(most, length), 0),
    };
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
        const page = asEvents(await this.#options.posts.listSince(reading.position, pageSize));
        if (page.length > 0) await this.#options.settle();
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
        const { since } = subscriber;
        if ((since !== undefined && post.createdAt <= since) || !this.#passes(subscriber, post)) continue;
        if (subscriber.held === undefined) subscriber.queue.push(post, bytes);
        else subscriber.held.push(post);
      }
      this.#options.delivered?.(post);
      reading.position = post.createdAt;
      reading.lastId = post.id;
      // Lets subscribers and other requests run before the next post.
      await turn();
    }
  }

  #passes({ passes }: Subscriber, post: Post): boolean {
    try {
      return passes === undefined || passes(post);
    } catch (error) {
      this.#options.report?.(error);
      return false;
    }
  }

  /** Waits for subscribers whose queues are full until the patience is used up, then drops those that are still full. */
  async #makeRoom(bytes: number, patience: { leftMs: number }): Promise<void> {
    const behind = (): readonly Subscriber[] => {
      const found: Subscriber[] = [];
      for (const each of this.#subscribers) if (!each.queue.hasRoom(bytes)) found.push(each);
      return found;
    };
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
