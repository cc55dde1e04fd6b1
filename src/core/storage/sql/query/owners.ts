/** Puts the results of reads for several ids or owners into the order of those. */

import type { Compilable } from 'kysely';
import { parseId, type Id } from '../../../model/id.js';
import { rowsOf, type SqlTask } from './task.js';

/** @returns the texts that are ids, each once */
export function distinctIds(texts: readonly string[]): readonly Id[] {
  return [...new Set(texts)].filter((text) => parseId(text) !== undefined);
}

/** @returns one list per owner, in the order of the owners, which may repeat; the records keep their order */
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
 * Reads the records with some ids.
 *
 * @param query - asks for the rows with ids, of which there is at least one
 * @returns one entry per id, in the order of the ids: undefined where there is no row, and a separate object each time an id
 *   is repeated
 */
export function* recordsById<Row extends { readonly id: number | string }, T>(
  ids: readonly string[],
  query: (known: readonly Id[]) => Compilable<Row>,
  recordOf: (row: Row) => T,
): SqlTask<readonly (T | undefined)[]> {
  const known = distinctIds(ids);
  const rows = known.length > 0 ? yield* rowsOf(query(known)) : [];
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && recordOf(row);
  });
}
