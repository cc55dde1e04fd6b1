/** Waits for an answer, but not for ever. */

export interface Lateness {
  /** What the error says has come about by the end of the time; `no answer` unless given. */
  readonly fault?: string;
  /** Called when the time is over. */
  readonly onLate?: () => void;
}

/**
 * @returns what `answer` does, if it does so in time
 * @throws what `answer` throws; an error when the time is over
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
