/** Lets a few pieces of work run at once, and the others wait for their turn. */
import { ServiceError } from '../model/error.js';

export class Turns {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /**
   * @param atOnce how many may run
   * @param maxWaiting how many may wait: who comes later would wait too long to be served at all
   */
  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the work when its turn has come, first come first served. @throws ServiceError `unavailable` when too many wait */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay < this.#atOnce) this.#underWay += 1;
    else await this.#wait();
    try {
      return await work();
    } finally {
      // Whoever waits takes over this turn, so the number under way stays the same.
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
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
