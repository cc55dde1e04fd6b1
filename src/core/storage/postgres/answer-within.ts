/** Waits for the answer of a client of PostgreSQL, with one timer per client. */

/**
 * `pg` starts a timer per query, which refers to the query and its rows: V8 frees these only in its next full collection, which costs a
 * fifth of the time of a query. So a client keeps one timer, which each query starts again.
 */
class AnswerTimer {
  #ms = 0;
  #timer: NodeJS.Timeout | undefined;
  #giveUp: (() => void) | undefined;

  start(ms: number, giveUp: () => void): void {
    this.#giveUp = giveUp;
    if (ms === this.#ms) {
      this.#timer?.refresh();
      return;
    }
    this.#ms = ms;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp?.(), ms).unref();
  }

  /** The timer runs on, because starting it again costs less than a new one. */
  stop(): void {
    this.#giveUp = undefined;
  }
}

const timers = new WeakMap<object, AnswerTimer>();

/** Waits for the answer of a client, which answers one query at a time. @param ms - the maximum wait; 0 for no limit @throws after it */
export function answerWithin<T>(client: object, ms: number, answer: Promise<T>): Promise<T> {
  if (ms === 0) return answer;
  const timer = timers.get(client) ?? new AnswerTimer();
  timers.set(client, timer);
  return new Promise((resolve, reject) => {
    timer.start(ms, () => {
      reject(new Error(`PostgreSQL did not answer within ${String(ms / 1000)} s`));
    });
    answer.then(
      (value) => {
        timer.stop();
        resolve(value);
      },
      (error: unknown) => {
        timer.stop();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- it is passed on as it is
        reject(error);
      },
    );
  });
}
