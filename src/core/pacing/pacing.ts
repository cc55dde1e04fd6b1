/** Limits how much work runs at once, with one queue per purpose for the rest, and how long an answer is waited for. */
import { ServiceError } from '../model/error.js';

export class Semaphore {
  /** The queues that are not empty; the first one is next. */
  readonly #queues = new Map<string, (() => void)[]>();
  #running = 0;

  /**
   * @param maxRunning - the maximum number of pieces of work that run at once
   * @param maxWaiting - the maximum number that wait per purpose; more are refused, because they would time out before their turn
   * @param patienceMs - the maximum wait; undefined for no limit
   */
  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
    private readonly patienceMs?: number,
  ) {}

  /** Whether other work is waiting. */
  get isBusy(): boolean {
    return this.#queues.size > 0;
  }

  /**
   * Runs the work as soon as there is room.
   *
   * @param purpose - names the queue: work of one purpose does not wait until all work of another is done
   * @throws ServiceError `unavailable` when too many are already waiting, and after too long a wait
   */
  async run<T>(work: () => Promise<T>, purpose = ''): Promise<T> {
    if (this.#running < this.maxRunning) this.#running += 1;
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
    if (queue.length >= this.maxWaiting) throw busy();
    this.#queues.set(purpose, queue);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        queue.splice(queue.indexOf(begin), 1);
        if (queue.length === 0) this.#queues.delete(purpose);
        reject(busy());
      };
      const timer = this.patienceMs === undefined ? undefined : setTimeout(giveUp, this.patienceMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      queue.push(begin);
    });
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

function busy(): ServiceError {
  return new ServiceError('unavailable', 'The service is busy: try again in a moment');
}

export interface Lateness {
  /** The fault that the error of a timeout names; `no answer` unless given. */
  readonly fault?: string;
  /** Makes the error of a timeout from its text; an `Error` unless given. */
  readonly errorOf?: (text: string) => Error;
  /** Called at the timeout. */
  readonly onLate?: () => void;
}

/**
 * @returns the value of `answer`, if it resolves in time
 *
 * @throws the error of `answer`, or an error at the timeout
 */
export function within<T>(
  ms: number,
  answer: Promise<T>,
  { fault = 'no answer', errorOf = (text) => new Error(text), onLate }: Lateness = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(errorOf(`${fault} within ${String(ms)} ms`));
      onLate?.();
    }, ms);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
