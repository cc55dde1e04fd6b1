/**
 * Lists of records: pages by offset, lists that are returned whole unless the caller pages through them, and lists that a rule
 * function of the policy filters. For the caller, records that do not pass do not exist.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { invalidInput } from '../../model/error.js';
import { type Id, parsePosition } from '../../model/id.js';
import type { StoredValues } from '../../model/stored.js';
import {
  type AfterSlice,
  listTooLong,
  maxWholeList,
  type OffsetArguments,
  offsetPage,
  type OffsetPage,
  offsetWindow,
  type Slice,
} from '../../model/page.js';

/** The requested part of a list; the whole list if both fields are undefined. */
export interface WholeListArguments {
  /** The id of the last item that the caller has. */
  readonly after: string | undefined;
  /** The maximum number of items, from 1 to 10,000. */
  readonly limit: number | undefined;
  /** Only the records with these values, or defaults, of the application's fields. */
  readonly stored?: StoredValues | undefined;
}

/** Requests the whole list. */
export const wholeList: WholeListArguments = { after: undefined, limit: undefined };

/**
 * @param read - reads from the store, ascending by id
 * @throws ServiceError `invalid-input` for a limit or position that is not valid, `limit-exceeded` when no limit was given
 *   and there are more than 10,000: the list is never cut off silently
 */
export async function readWholeList<T>(
  asked: WholeListArguments,
  read: (slice: AfterSlice) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const after = asked.after === undefined ? undefined : parsePosition('after', asked.after);
  const { limit } = asked;
  if (limit === undefined) {
    const all = await read({ after, limit: maxWholeList + 1 });
    if (all.length > maxWholeList) throw listTooLong('page it with limit and after');
    return all;
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > maxWholeList) {
    throw invalidInput('limit', `must be 1 to ${maxWholeList}`, 'paging');
  }
  return await read({ after, limit });
}

/** The number of small records that are read at once. */
export const batchSize = 200;

/**
 * Called with each part of a list when it is read, and with an empty part before each read. An error that it throws ends the
 * reading.
 *
 * @returns the part, for the list
 */
export type Keep<T> = (part: readonly T[]) => readonly T[];

export const keepAll = <T>(part: readonly T[]): readonly T[] => part;

/**
 * Reads a long list in parts, so that memory holds only one part in addition to the kept records. Other requests get a turn between
 * the parts, because some stores answer synchronously.
 *
 * @param list - reads from the store, ascending by id
 * @param size - the number of records that are read at once
 */
export function inParts<T extends { readonly id: Id }>(
  list: (slice: AfterSlice) => Promise<readonly T[]>,
  keep: Keep<T> = keepAll,
  size = batchSize,
): typeof list {
  return async ({ after, limit }) => {
    const kept: T[] = [];
    let left = limit;
    for (let position = after; ;) {
      keep([]);
      const asked = Math.min(size, left);
      const part = await list({ after: position, limit: asked });
      kept.push(...keep(part));
      left -= part.length;
      if (part.length < asked || left === 0) return kept;
      position = part.at(-1)?.id;
      await turn();
    }
  };
}

type Passes<T> = ((record: T) => boolean) | undefined;

/** The number of records that are read at once: few enough to keep in memory, even if they are large. */
const filteredBatchSize = 100;

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
      const records = await read(position, filteredBatchSize);
      kept.push(...records.filter(passes));
      const last = records.at(-1);
      if (kept.length >= limit) return kept.slice(0, limit);
      if (last === undefined || records.length < filteredBatchSize) return kept;
      position = positionOf(last);
    }
  };
}

/** A list by position that ascends by id, as {@link readPage}. */
export function visibleById<T extends { readonly id: Id }>(
  visible: Visible<T>,
  given: StoredValues | undefined,
  list: (slice: AfterSlice, stored?: StoredValues) => Promise<readonly T[]>,
): (slice: AfterSlice) => Promise<readonly T[]> {
  const stored = bothStored(given, visible);
  if (stored === 'none') return () => Promise.resolve([]);
  const passes = visible.stored === undefined ? visible.passes : undefined;
  return passingById(passes, (slice) => list(slice, stored));
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

/** What a policy lets a caller list, as `Scope` has it. */
interface Visible<T> {
  readonly passes?: Passes<T>;
  readonly stored?: StoredValues | 'none' | undefined;
}

/** The values of a filter and of a policy together; `none` if no record can have both. */
export function bothStored(
  given: StoredValues | undefined,
  { stored: own = {} }: Visible<never>,
): Visible<never>['stored'] {
  if (own === 'none') return own;
  const both = { ...given, ...own };
  const differs = Object.keys(given ?? {}).some((name) => given?.[name] !== both[name]);
  if (differs) return 'none';
  return Object.keys(both).length === 0 ? undefined : both;
}

/**
 * A page by offset, ascending by id; without arguments the first 100. It is filtered by the store, unless a rule function decides.
 *
 * @param given - the values by which the caller filters the list
 * @param list - reads the records with some values
 * @param count - reads their number
 */
export async function readPage<T extends { readonly id: Id }>(
  asked: OffsetArguments,
  visible: Visible<T>,
  given: StoredValues | undefined,
  list: (slice: Slice, stored?: StoredValues) => Promise<readonly T[]>,
  count: (stored?: StoredValues) => Promise<number>,
): Promise<OffsetPage<T>> {
  const window = offsetWindow(asked);
  const { passes } = visible;
  const stored = bothStored(given, visible);
  if (stored === 'none') return offsetPage([], 0, window);
  if (passes === undefined || visible.stored !== undefined) {
    const data = await list(window, stored);
    const end = data.length > 0 ? window.offset + data.length : 0;
    // A list that ends on its page says how long it is, also while others write.
    const endsHere = data.length < window.limit && (data.length > 0 || window.offset === 0);
    return offsetPage(data, endsHere ? end : Math.max(end, await count(stored)), window);
  }
  const data: T[] = [];
  let total = 0;
  const read = passingById(passes, (slice) => list(slice, stored));
  for (let after: Id | undefined; ;) {
    const records = await read({ after, limit: filteredBatchSize });
    const [from, to] = [window.offset - total, window.offset + window.limit - total];
    data.push(...records.slice(Math.max(from, 0), Math.max(to, 0)));
    total += records.length;
    after = records.at(-1)?.id;
    if (records.length < filteredBatchSize) return offsetPage(data, total, window);
  }
}
