/** What is asked for several ids, or for several owners, at once: put back in their order. */

import { parseId, type Id } from '../../model/id.js';

/** @returns the ids among the texts, each once */
export function distinctIds(texts: readonly string[]): readonly Id[] {
  return [...new Set(texts)].filter((text) => parseId(text) !== undefined);
}

/** @returns one list an owner, in the order of the owners, which may repeat; the records keep their order */
export function listsByOwner<T>(
  owners: readonly string[],
  records: readonly T[],
  ownerOf: (record: T) => Id,
): readonly (readonly T[])[] {
  const lists = new Map<string, T[]>();
  for (const record of records) {
    const list = lists.get(ownerOf(record));
    if (list === undefined) lists.set(ownerOf(record), [record]);
    else list.push(record);
  }
  return owners.map((owner) => [...(lists.get(owner) ?? [])]);
}

/**
 * @returns one entry an id, in the order of the ids: undefined where there is no row, and a record of its own each time for an id
 *   that is repeated
 */
export function recordsInOrder<Row extends { readonly id: number | string }, T>(
  ids: readonly string[],
  rows: readonly Row[],
  recordOf: (row: Row) => T,
): readonly (T | undefined)[] {
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && recordOf(row);
  });
}
