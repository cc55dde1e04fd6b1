/** Compares two servers: they take turns under the same load, and the medians of their rates are compared. */

import type { Load, Meter } from './load.js';

export interface Comparison {
  /** Requests per second, one figure per round. */
  readonly baseline: readonly number[];
  readonly candidate: readonly number[];
}

export interface Rounds {
  readonly count: number;
  readonly seconds: number;
  /** As long as a round by default. */
  readonly warmUpSeconds?: number;
}

/** Both warm up first, unmeasured. They take turns, so that a disturbance of the machine affects both. */
export async function compare(
  measure: Meter,
  baseline: Load,
  candidate: Load,
  { count, seconds, warmUpSeconds = seconds }: Rounds,
): Promise<Comparison> {
  await measure(baseline, warmUpSeconds);
  await measure(candidate, warmUpSeconds);
  const rates = { baseline: [] as number[], candidate: [] as number[] };
  for (let round = 0; round < count; round += 1) {
    rates.baseline.push(await measure(baseline, seconds));
    rates.candidate.push(await measure(candidate, seconds));
  }
  return rates;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
