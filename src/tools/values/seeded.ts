/** Random numbers that a seed determines, so that a run can be repeated. */

/** Random numbers from 0, below 1. */
type Random = () => number;

/**
 * Mulberry32: 32 bits of state are enough to choose values for tests.
 *
 * @param seed - a whole number; the same seed gives the same random numbers
 */
export function seeded(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of the numbers from 0 to `most`, all with the same probability. */
export function uniform(random: Random, most: number): number {
  return Math.min(most, Math.floor(random() * (most + 1)));
}
