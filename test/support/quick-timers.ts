/** Lets the long timers of a module ring soon, where it has no setting for their time. */

/**
 * @param length - the milliseconds that become a few
 * @param from - a part of the module's path: others have timers of that length too, such as the patience with a database
 * @returns undoes it
 */
export function quickenTimers(length: number, from: string): () => void {
  const real = globalThis.setTimeout;
  const isQuick = (ms?: number): boolean => ms === length && new Error().stack?.includes(from) === true;
  const quick = (run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
    real(run, isQuick(ms) ? 20 : ms, ...values);
  globalThis.setTimeout = Object.assign(quick, real);
  return () => {
    globalThis.setTimeout = real;
  };
}
