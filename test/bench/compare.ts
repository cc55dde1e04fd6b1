/** Compares servers: they take turns under the same load, so that a disturbance of the machine affects all of them. */

import type { Load, Meter } from './load.js';
import { cpuSeconds, residentMebibytes } from './process-usage.js';

/** A server and what it is asked. */
export interface Contender {
  readonly load: Load;
  readonly pid: number | undefined;
}

export interface Rounds {
  readonly count: number;
  readonly seconds: number;
  /** As long as a round by default. */
  readonly warmUpSeconds?: number;
}

/** What a server reached. */
export interface Reached {
  /** Requests per second: the median of the rounds. */
  readonly rate: number;
  /** Microseconds of CPU time per request, over all rounds; steadier than rates on a machine that does other work. */
  readonly cpu: number;
  /** Its memory after the last round. */
  readonly mebibytes: number;
}

/** All warm up first, unmeasured. @returns what each reached, in the order of the contenders */
export async function takeTurns(
  measure: Meter,
  contenders: readonly Contender[],
  { count, seconds, warmUpSeconds = seconds }: Rounds,
): Promise<readonly Reached[]> {
  for (const { load } of contenders) await measure(load, warmUpSeconds);
  const turns = contenders.map((contender) => ({ ...contender, rates: [] as number[], requests: 0, cpu: 0 }));
  for (let round = 0; round < count; round += 1) {
    for (const turn of turns) {
      const before = cpuSeconds(turn.pid);
      const { rate, requests } = await measure(turn.load, seconds);
      turn.cpu += cpuSeconds(turn.pid) - before;
      turn.requests += requests;
      turn.rates.push(rate);
    }
  }
  return turns.map(({ rates, requests, cpu, pid }) => ({
    rate: median(rates),
    cpu: (cpu * 1e6) / requests,
    mebibytes: residentMebibytes(pid),
  }));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
