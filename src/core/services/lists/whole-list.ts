/** Lists that are returned whole unless the caller pages through them. */
import { setImmediate as turn } from 'node:timers/promises';
import { invalidInput } from '../../model/error.js';
import { type Id, parsePosition } from '../../model/id.js';
import { listTooLong, maxWholeList, type AfterSlice } from '../../model/page.js';

/** The requested part of a list; the whole list if both fields are undefined. */
export interface WholeListArguments {
  /** The id of the last item that the caller has. */
  readonly after: string | undefined;
  /** The maximum number of items, from 1 to 10,000. */
  readonly limit: number | undefined;
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
