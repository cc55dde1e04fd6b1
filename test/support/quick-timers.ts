/** Lets the long timers of a program ring soon, where it has no setting for their time. */

/**
 * @param lengths - the milliseconds that become a few
 * @returns undoes it
 */
export function quickenTimers(...lengths: readonly number[]): () => void {
  const real = globalThis.setTimeout;
  const quick = (run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
    real(run, ms !== undefined && lengths.includes(ms) ? 20 : ms, ...values);
  globalThis.setTimeout = Object.assign(quick, real);
  return () => {
    globalThis.setTimeout = real;
  };
}
