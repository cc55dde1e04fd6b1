/** Finds a part of a document that contains itself, which a wrong reference leads to when the parts are put together. */

import { joinPointer } from '../text/pointer.js';

/** The place where a value is inside itself; undefined where no part contains itself. */
export function cyclicPlace(document: unknown): string | undefined {
  const open = new Set<object>();
  const closed = new Set<object>();
  const search = (value: unknown, at: string): string | undefined => {
    if (typeof value !== 'object' || value === null || closed.has(value)) return undefined;
    if (open.has(value)) return at;
    open.add(value);
    for (const [name, member] of Object.entries(value)) {
      const found = search(member, joinPointer(at, name));
      if (found !== undefined) return found;
    }
    open.delete(value);
    closed.add(value);
    return undefined;
  };
  return search(document, '#');
}
