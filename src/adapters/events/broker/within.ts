/** Waits for an answer, but not for ever. */

/**
 * @param onLate called when the time is over
 * @returns what `answer` does, if it does so in time
 * @throws what `answer` throws; an error when the time is over
 */
export function within<T>(ms: number, answer: Promise<T>, onLate?: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${String(ms)} ms`));
      onLate?.();
    }, ms);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
