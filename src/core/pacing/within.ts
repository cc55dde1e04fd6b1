/** Waits for an answer, but no longer than a given time. */

export interface Lateness {
  /** The fault that the error of a timeout names; `no answer` unless given. */
  readonly fault?: string;
  /** Called at the timeout. */
  readonly onLate?: () => void;
}

/**
 * @returns the value of `answer`, if it resolves in time
 * @throws the error of `answer`, or an error at the timeout
 */
export function within<T>(
  ms: number,
  answer: Promise<T>,
  { fault = 'no answer', onLate }: Lateness = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`${fault} within ${String(ms)} ms`));
      onLate?.();
    }, ms);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
