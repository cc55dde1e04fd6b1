/** Puts the stretch that a caller asked for on a query. */
import type { Slice } from '../../ports/slice.js';

/** Where a slice starts and what it skips: `id > after order by id limit … offset …` serves both kinds. */
export interface Stretch {
  /** Digits; every id is greater than `"0"`. */
  readonly after: string;
  readonly limit: number;
  readonly offset: number;
}

export function stretchOf(slice: Slice): Stretch {
  const { limit } = slice;
  if ('offset' in slice) return { after: '0', limit, offset: slice.offset };
  return { after: slice.after ?? '0', limit, offset: 0 };
}
