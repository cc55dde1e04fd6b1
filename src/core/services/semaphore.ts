/** Limits how many pieces of work run at once; the others wait, first come first served. */
import { ServiceError } from '../model/error.js';

export class Semaphore {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * @param maxRunning - how many may run at once
   * @param maxWaiting - how many may wait; any more are refused, since they would time out before their turn
   */
  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** Whether other work is waiting. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs the work as soon as there is room. @throws ServiceError `unavailable` when too many are waiting already */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#maxRunning) this.#running += 1;
    else await this.#wait();
    try {
      return await work();
    } finally {
      // The next in line takes over this place, so the number of running stays the same.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new ServiceError('unavailable', 'The service is busy: try again in a moment');
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
