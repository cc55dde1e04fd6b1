/** Ends executions at their deadlines with one timer for all: a timer per execution would cost more than many queries do. */

export interface Timed {
  /** In milliseconds, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Called at the deadline. */
  expire(): void;
}

export class Deadlines {
  readonly #running = new Set<Timed>();
  #timer: NodeJS.Timeout | undefined;

  add(timed: Timed): void {
    this.#running.add(timed);
    // All executions have the same time limit, so the timer of an earlier one is never too late for this one.
    if (this.#timer === undefined) this.#wait(timed.deadline);
  }

  delete(timed: Timed): void {
    this.#running.delete(timed);
  }

  #wait(until: number): void {
    this.#timer = setTimeout(() => this.#expire(), until - performance.now() + 1);
    // The timer need not keep the process alive: the pending work of an execution does.
    this.#timer.unref();
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    let next = Infinity;
    for (const timed of this.#running) {
      if (timed.deadline <= now) {
        this.#running.delete(timed);
        timed.expire();
      } else next = Math.min(next, timed.deadline);
    }
    if (next < Infinity) this.#wait(next);
  }
}
