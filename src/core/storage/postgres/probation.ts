/** Keeps tasks that wait for a lock from taking every connection of the pool. */
import { ServiceError } from '../../model/error.js';
import { isTimeout } from './failure.js';

/** How many connections may wait at a time for what has kept others waiting; a pool has about ten. */
const maxWaiting = 3;

/**
 * A circuit breaker per kind of task. Once a task ran out of the database's time, for instance because its table is locked,
 * a few tasks of its kind may still try; the others are refused at once, so that tasks on other tables find a connection. The
 * first that is answered ends the probation of its kind.
 */
export class Probation {
  readonly #kinds = new Set<string>();
  #waiting = 0;

  /** @throws ServiceError `unavailable` when the task would have to wait with too many others */
  check(kind: string): void {
    if (this.#waiting < maxWaiting || !this.#kinds.has(kind)) return;
    throw new ServiceError('unavailable', 'The database does not answer: try again later', {
      detail: 'other tasks of this kind have waited too long for a lock',
    });
  }

  /**
   * Runs a task on its connection.
   *
   * @param kind - the text of the task's first query; there are a few hundred
   * @throws as {@link check}, and the error of the task
   */
  async run<T>(kind: string, task: () => Promise<T>): Promise<T> {
    this.check(kind);
    const isOnProbation = this.#kinds.has(kind);
    if (isOnProbation) this.#waiting += 1;
    try {
      const outcome = await task();
      this.#kinds.delete(kind);
      return outcome;
    } catch (error) {
      if (isTimeout(error)) this.#kinds.add(kind);
      throw error;
    } finally {
      if (isOnProbation) this.#waiting -= 1;
    }
  }
}
