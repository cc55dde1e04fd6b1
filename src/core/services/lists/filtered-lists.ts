/** Lists filtered by a rule function of the policy: for the caller, records that do not pass do not exist. */
import type { Id } from '../../model/id.js';
import {
  offsetPage,
  offsetWindow,
  type OffsetArguments,
  type OffsetPage,
  type AfterSlice,
  type Slice,
} from '../../model/page.js';

type Passes<T> = ((record: T) => boolean) | undefined;

/** The number of records that are read at once: few enough to keep in memory, even if they are large. */
const batchSize = 100;

/**
 * Reads from a position until enough records pass.
 *
 * @param read reads the records after a position, which is that of the last record before them
 * @returns `read` itself if every record passes
 */
export function passing<T, Position>(
  passes: Passes<T>,
  positionOf: (record: T) => Position,
  read: (from: Position | undefined, limit: number) => Promise<readonly T[]>,
): typeof read {
  if (passes === undefined) return read;
  return async (from, limit) => {
    const kept: T[] = [];
    for (let position = from; ;) {
      const records = await read(position, batchSize);
      kept.push(...records.filter(passes));
      const last = records.at(-1);
      if (kept.length >= limit) return kept.slice(0, limit);
      if (last === undefined || records.length < batchSize) return kept;
      position = positionOf(last);
    }
  };
}

/** {@link passing} for lists that ascend by id. */
export function passingById<T extends { readonly id: Id }>(
  passes: Passes<T>,
  list: (slice: AfterSlice) => Promise<readonly T[]>,
): typeof list {
  const read = passing(
    passes,
    ({ id }): Id => id,
    (after, limit) => list({ after, limit }),
  );
  return ({ after, limit }) => read(after, limit);
}

/**
 * A page by offset, ascending by id; without arguments the first 100.
 *
 * @param count the number of records in the unfiltered list
 */
export async function readPage<T extends { readonly id: Id }>(
  asked: OffsetArguments,
  passes: Passes<T>,
  list: (slice: Slice) => Promise<readonly T[]>,
  count: () => Promise<number>,
): Promise<OffsetPage<T>> {
  const window = offsetWindow(asked);
  if (passes === undefined) {
    const [data, total] = await Promise.all([list(window), count()]);
    return offsetPage(data, total, window);
  }
  const data: T[] = [];
  let total = 0;
  const read = passingById(passes, list);
  for (let after: Id | undefined; ;) {
    const records = await read({ after, limit: batchSize });
    const [from, to] = [window.offset - total, window.offset + window.limit - total];
    data.push(...records.slice(Math.max(from, 0), Math.max(to, 0)));
    total += records.length;
    after = records.at(-1)?.id;
    if (records.length < batchSize) return offsetPage(data, total, window);
  }
}
