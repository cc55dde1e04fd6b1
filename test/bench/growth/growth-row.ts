/** The rows of the table of growth: what a piece of work costs at each size, and whether it stays flat. */

/** The cost at one size. */
export interface Cost {
  /** Such as `1,000 operations`. */
  readonly size: string;
  /** Of a piece of work, elapsed, in microseconds. */
  readonly microseconds: number;
  /** The server's CPU time for it, in microseconds. */
  readonly cpu?: number;
  /** Of the server's process. */
  readonly mebibytes?: number;
}

export interface Growth {
  /** The piece of work. */
  readonly work: string;
  /** From the smallest size to the largest. */
  readonly costs: readonly Cost[];
  /** How many times the first time the others may have at most, to be flat. Undefined when growth is only reported. */
  readonly limit?: number;
  /** The most that a piece of work may take at any size, in milliseconds. */
  readonly mostMs?: number;
  /** Which time is compared, where it is not the elapsed one. */
  readonly compares?: 'cpu';
  /** Why something of it is not flat, where it cannot be. */
  readonly reason?: string;
}

/** One kind of growth, which is measured on its own. */
export interface GrowthTask {
  readonly name: string;
  run(options: GrowthOptions): Promise<readonly Growth[]>;
}

export interface GrowthOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** How many rows the large stores have. */
  readonly rows: number;
}

/** Whether a later time is too many times the first one, or a time is too long. */
export function isMissed(growth: Growth): boolean {
  const { limit = Infinity, mostMs = Infinity, costs } = growth;
  if (costs.some(({ microseconds }) => microseconds > mostMs * 1000)) return true;
  return ratiosOf(growth).some((ratio) => !(ratio <= limit));
}

/** How many times the first time each is. */
function ratiosOf({ costs, compares }: Growth): readonly number[] {
  const times = costs.map(({ microseconds, cpu }) => (compares === 'cpu' ? cpu : undefined) ?? microseconds);
  return times.map((time) => time / (times[0] ?? Number.NaN));
}

/** A line per size; the last one of a piece of work says how it grows. */
export function linesOf(growth: Growth): readonly Readonly<Record<string, string | number>>[] {
  const { work, costs, limit, mostMs, reason } = growth;
  const ratios = ratiosOf(growth);
  const bound = limit ?? (mostMs === undefined ? undefined : `${String(mostMs)} ms`);
  const kept = limit === undefined ? 'short' : 'flat';
  const verdict = bound === undefined ? '' : isMissed(growth) ? `more than ${String(bound)}` : kept;
  const remark = [verdict, reason ?? ''].filter((part) => part !== '').join('; ');
  return costs.map(({ size, microseconds, cpu, mebibytes }, index) => {
    return {
      work: index === 0 ? work : '',
      size,
      µs: rounded(microseconds),
      'CPU µs': cpu === undefined ? '' : rounded(cpu),
      MiB: mebibytes === undefined ? '' : rounded(mebibytes),
      ratio: index === 0 ? '' : (ratios[index]?.toFixed(2) ?? ''),
      remark: index === costs.length - 1 ? remark : '',
    };
  });
}

function rounded(value: number): number {
  return value < 100 ? Math.round(value * 10) / 10 : Math.round(value);
}
