/** How long to wait before the next attempt to reach a broker. */

const shortestMs = 100;
const longestMs = 5_000;

/**
 * Doubles the pause each time, up to a bound, and shortens it randomly, so that the processes of a deployment do not all
 * reconnect at once.
 *
 * @param attempt from 0
 * @param chance from 0 to 1
 * @returns milliseconds
 */
export function pauseBefore(attempt: number, chance = Math.random()): number {
  return Math.min(longestMs, shortestMs * 2 ** attempt) * (0.5 + chance / 2);
}
