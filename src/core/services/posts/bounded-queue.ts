/** A bounded queue between a producer that cannot be slowed down and a consumer that reads at its own speed, such as that of a topic. */
import type { SubscriberBounds } from '../context/service-context.js';
import { ServiceError } from '../../model/error.js';
import type { Id } from '../../model/id.js';
import type { Events, Topic } from '../../ports/events.js';

/**
 * With these bounds, a slow reader never slows the others below 50 posts per second, and a reader that keeps that rate is never
 * dropped.
 */
export const defaultSubscriberBounds: SubscriberBounds = {
  items: 1_000,
  bytes: 8 * 1024 * 1024,
  patienceMs: 2_000,
};

/** The maximum that may wait in a queue. */
interface QueueBounds {
  readonly items: number;
  readonly bytes: number;
}

/** Takes an item. @returns a promise if the next item must wait for it */
type Take<Item> = (item: Item) => Promise<unknown> | undefined;

interface Taker<Item> {
  readonly take: Take<Item>;
  /** Called when the queue has ended without an error. */
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A single iteration takes the items, or `forEach` gives them to a function; leaving the iteration ends the queue. */
export class BoundedQueue<Item> implements AsyncIterableIterator<Item> {
  readonly #bounds: QueueBounds;
  readonly #onEnd: () => void;
  readonly #waiting: { readonly item: Item; readonly bytes: number }[] = [];
  readonly #takers: Taker<Item>[] = [];
  /** Whether the first taker is busy with an item. */
  #isTaking = false;
  #bytes = 0;
  #onEmpty: (() => void) | undefined;
  #end: { readonly error?: unknown } | undefined;

  /** @param onEnd - called once, when the queue has failed or its consumer has left */
  constructor(bounds: QueueBounds, onEnd: () => void) {
    this.#bounds = bounds;
    this.#onEnd = onEnd;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** The number of waiting items. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Whether an item of this size fits within the bounds; an empty queue has room for an item of any size. */
  hasRoom(bytes: number): boolean {
    const { length } = this.#waiting;
    return length === 0 || (length < this.#bounds.items && this.#bytes + bytes <= this.#bounds.bytes);
  }

  /** Adds an item without checking the bounds. Does nothing once the queue has ended. */
  push(item: Item, bytes: number): void {
    if (this.#end !== undefined) return;
    this.#waiting.push({ item, bytes });
    this.#bytes += bytes;
    this.#serve();
  }

  /** Drops items from the front of the queue as long as they are unwanted. */
  discardWhile(unwanted: (item: Item) => boolean): void {
    while (this.#waiting[0] !== undefined && unwanted(this.#waiting[0].item)) this.#shift();
  }

  /** Resolves when no item waits. Has one caller at a time. @returns whether the queue has not ended */
  async emptied(): Promise<boolean> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
    return this.#end === undefined;
  }

  /** Ends the queue with an error for the consumer. Waiting items are dropped at once, to free their memory. */
  fail(error: unknown): void {
    this.#finish({ error });
  }

  next(): Promise<IteratorResult<Item, void>> {
    return new Promise((resolve, reject) => {
      const take = (value: Item): undefined => {
        this.#takers.shift();
        resolve({ done: false, value });
      };
      this.#add({ take, resolve: () => resolve({ done: true, value: undefined }), reject });
    });
  }

  /**
   * Gives every item to `take`, in order: at once, unless it is busy with the one before.
   *
   * @returns a promise of the end of the queue; it rejects with the error of the queue or of `take`, which ends the queue
   */
  forEach(take: Take<Item>): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ take, resolve, reject }));
  }

  return(): Promise<IteratorResult<Item, void>> {
    this.#finish({});
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(end: { readonly error?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.#serve();
    this.#onEmpty?.();
    this.#onEnd();
  }

  #add(taker: Taker<Item>): void {
    this.#takers.push(taker);
    this.#serve();
  }

  #serve(): void {
    for (let [taker] = this.#takers; taker !== undefined && !this.#isTaking; [taker] = this.#takers) {
      const first = this.#shift();
      if (first !== undefined) {
        this.#give(taker, first.item);
        continue;
      }
      if (this.#end === undefined) return;
      this.#takers.shift();
      const { error } = this.#end;
      this.#end = {}; // an iteration fails once; then it is done
      if (error === undefined) taker.resolve();
      else taker.reject(error);
    }
  }

  #give({ take }: Taker<Item>, item: Item): void {
    this.#isTaking = true;
    try {
      const busy = take(item);
      if (busy === undefined) this.#isTaking = false;
      else
        busy.then(
          () => this.#taken(),
          (error: unknown) => this.#taken({ error }),
        );
    } catch (error) {
      this.#taken({ error });
    }
  }

  #taken(failure?: { readonly error: unknown }): void {
    this.#isTaking = false;
    if (failure !== undefined) this.fail(failure.error);
    this.#serve();
  }

  #shift(): { readonly item: Item } | undefined {
    const first = this.#waiting.shift();
    this.#bytes -= first?.bytes ?? 0;
    if (this.#waiting.length === 0) this.#onEmpty?.();
    return first;
  }
}

/**
 * Subscribes to a topic. Leaving the iteration ends the subscription.
 *
 * @param waiting - the maximum number of events that may wait for the reader; 1,000 unless given
 * @returns the ids of all later events, once none can be missed. The iterator fails with `limit-exceeded` if it is read so slowly that
 *   more events wait, and with `unavailable` after a lost connection to the broker, because events may have been missed
 * @throws ServiceError `unavailable`
 *
 * @example
 * ```ts
 * const resolvers = { stockCounted: { subscribe: () => subscribeTo(events, 'STOCK_COUNTED'), resolve: (id: Id) => id } };
 * ```
 */
export async function subscribeTo<More extends string = never>(
  events: Events<More>,
  topic: Topic | More,
  waiting: number = defaultSubscriberBounds.items,
): Promise<AsyncIterableIterator<Id>> {
  const queue = new BoundedQueue<Id>({ items: waiting, bytes: Infinity }, () => {
    // A subscription that was refused has a caller who hears of it.
    void subscription.then(
      (leave) => leave(),
      () => undefined,
    );
  });
  const subscription = events.subscribe(topic, {
    received(id) {
      if (queue.hasRoom(0)) queue.push(id, 0);
      else queue.fail(new ServiceError('limit-exceeded', 'The subscriber reads too slowly'));
    },
    interrupted() {
      queue.fail(new ServiceError('unavailable', 'Events may have been missed'));
    },
  });
  await subscription;
  return queue;
}
