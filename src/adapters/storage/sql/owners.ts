/** Lists that are asked for several owners at once. */
import { parseId, type Id } from '../../../core/model/id.js';

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
