/** Limits the parts of a document that occur in several places, because each reader of the document reads such a part once per place. */

import { joinPointer } from '../text/pointer.js';

/** Every document may expand to this many values, and a larger one to twice its number of values. */
const FREE_VALUES = 100_000;

/** A place whose parts would take too long to read. */
export interface Expansion {
  readonly at: string;
  readonly message: string;
}

/**
 * The first part that contains itself, or that repeats its parts too often to read them all; YAML aliases and references cause both.
 * Undefined for a document whose expanded size is in proportion to its size.
 */
export function endlessExpansion(document: unknown): Expansion | undefined {
  const most = Math.max(FREE_VALUES, 2 * distinctValues(document));
  const open = new Set<object>();
  const sizes = new Map<object, number>();
  let found: Expansion | undefined;
  const sizeOf = (value: unknown, at: string): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) {
      found ??= { at, message: 'this part contains itself' };
      return 1;
    }
    open.add(value);
    let size = 1;
    for (const [name, member] of Object.entries(value)) {
      if (found === undefined) size += sizeOf(member, joinPointer(at, name));
    }
    open.delete(value);
    sizes.set(value, size);
    if (size > most)
      found ??= { at, message: `this part repeats its parts: it has over ${String(most)} values` };
    return size;
  };
  sizeOf(document, '#');
  return found;
}

function distinctValues(document: unknown): number {
  const seen = new Set<object>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    if (seen.has(value)) return 0;
    seen.add(value);
    let values = 1;
    for (const member of Object.values(value)) values += count(member);
    return values;
  };
  return count(document);
}
