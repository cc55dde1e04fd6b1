/** Paces work: a few pieces run at once, from one queue per purpose in turn, and upkeep runs once a minute. */
import { ServiceError } from '../../model/error.js';
import type { Timestamp } from '../../model/timestamp.js';

export class Semaphore {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  /** The queues that are not empty; the first one is next. */
  readonly #queues = new Map<string, (() => void)[]>();
  #running = 0;

  /**
   * @param maxRunning - the maximum number of pieces of work that run at once
   * @param maxWaiting - the maximum number that wait per purpose; more are refused, because they would time out before their turn
   */
  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** Whether other work is waiting. */
  get isBusy(): boolean {
    return this.#queues.size > 0;
  }

  /**
   * Runs the work as soon as there is room.
   *
   * @param purpose - names the queue: work of one purpose does not wait until all work of another is done
   * @throws ServiceError `unavailable` when too many are already waiting
   */
  async run<T>(work: () => Promise<T>, purpose = ''): Promise<T> {
    if (this.#running < this.#maxRunning) this.#running += 1;
    else await this.#wait(purpose);
    try {
      return await work();
    } finally {
      // The next piece of work takes over this place, so the number that run stays the same.
      const next = this.#takeNext();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait(purpose: string): Promise<void> {
    const queue = this.#queues.get(purpose) ?? [];
    if (queue.length >= this.#maxWaiting) {
      throw new ServiceError('unavailable', 'The service is busy: try again in a moment');
    }
    this.#queues.set(purpose, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  #takeNext(): (() => void) | undefined {
    const [first] = this.#queues;
    if (first === undefined) return undefined;
    const [purpose, queue] = first;
    const next = queue.shift();
    // Moves the queue behind the others.
    this.#queues.delete(purpose);
    if (queue.length > 0) this.#queues.set(purpose, queue);
    return next;
  }
}

const everyMs = 60_000;
const atOnce = 500;

/** Deletes expired records, unless it did so within the last minute. */
export type ExpirySweep = (now: Timestamp) => Promise<void>;

/** @param store - a store whose records expire */
export function expirySweep(store: {
  deleteExpired(now: Timestamp, limit: number): Promise<number>;
}): ExpirySweep {
  let sweptAt = 0;
  return async (now) => {
    const nowMs = Date.parse(now);
    if (nowMs - sweptAt < everyMs) return;
    sweptAt = nowMs;
    // If there may be more, the next call continues.
    if ((await store.deleteExpired(now, atOnce)) === atOnce) sweptAt = 0;
  };
}
