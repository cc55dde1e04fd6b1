/** Lists that are returned whole unless the caller pages through them. */
import { invalidInput } from '../model/error.js';
import { type Id, parsePosition } from '../model/id.js';
import { listTooLong, maxWholeList } from '../model/page.js';
import type { AfterSlice } from '../ports/slice.js';

/** The part of a list that is asked for; all of it when both are absent. */
export interface WholeListArguments {
  /** The id of the last item that the caller has. */
  readonly after: string | undefined;
  /** How many items, from 1 to 10,000. */
  readonly limit: number | undefined;
}

/** Asks for all of a list. */
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

/** How many records are read at once: few enough for their size not to matter, and enough for most lists. */
export const batchSize = 200;

/** Takes part of a list as it is read. @returns as many records, in which what the caller does not need may be left out */
export type Keep<T> = (batch: readonly T[]) => readonly T[];

export const keepAll = <T>(batch: readonly T[]): readonly T[] => batch;

/**
 * Reads a long list in batches, so that no more than one of them is in memory beside what is kept.
 *
 * @param list - reads from the store, ascending by id
 * @param keep - reading ends with what it throws
 */
export function inBatches<T extends { readonly id: Id }>(
  list: (slice: AfterSlice) => Promise<readonly T[]>,
  keep: Keep<T>,
): typeof list {
  return async ({ after, limit }) => {
    const kept: T[] = [];
    for (let position = after; ;) {
      const asked = Math.min(batchSize, limit - kept.length);
      const batch = await list({ after: position, limit: asked });
      kept.push(...keep(batch));
      if (batch.length < asked || kept.length === limit) return kept;
      position = batch.at(-1)?.id;
    }
  };
}
