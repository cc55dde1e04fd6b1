/** Translates a slice into the values of a query. */
import type { Slice } from '../../../ports/slice.js';

/** The values for `id > after order by id limit … offset …`, which serves both kinds of slices. */
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
