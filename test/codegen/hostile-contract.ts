/** Puts a hostile text into the strings of a contract: its values, and the names of its members. */

import { joinPointer } from '../../src/codegen/text/pointer.js';

/** A string of a document: a value, or the name of a member. */
export interface Place {
  /** The value or the member. */
  readonly at: string;
  readonly kind: 'value' | 'name';
}

/** Every string of a document. */
export function placesIn(value: unknown, at = '#'): readonly Place[] {
  if (typeof value === 'string') return [{ at, kind: 'value' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inside = joinPointer(at, key);
    const own: readonly Place[] = Array.isArray(value) ? [] : [{ at: inside, kind: 'name' }];
    return [...own, ...placesIn(member, inside)];
  });
}

export const keyOf = ({ at, kind }: Place): string => `${kind} ${at}`;

/**
 * A copy of a document with the text added to its strings at some places. References follow the names that change.
 *
 * @param places - by {@link keyOf}
 */
export function withHostile(document: object, places: ReadonlySet<string>, text: string): object {
  const renamed = new Map<string, string>();
  const changed = (value: unknown, at: string, to: string): unknown => {
    renamed.set(at, to);
    if (typeof value === 'string') return places.has(`value ${at}`) ? value + text : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value))
      return value.map((item, index) => changed(item, joinPointer(at, index), joinPointer(to, index)));
    const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
      const inside = joinPointer(at, key);
      const name = places.has(`name ${inside}`) ? key + text : key;
      return [name, changed(member, inside, joinPointer(to, name))];
    });
    return Object.fromEntries(entries);
  };
  const followed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(followed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]: [string, unknown]) => {
        const target =
          key === '$ref' && typeof member === 'string' ? renamed.get(decoded(member)) : undefined;
        return [key, target === undefined ? followed(member) : encodeURI(target)];
      }),
    );
  };
  return followed(changed(document, '#', '#')) as object;
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
