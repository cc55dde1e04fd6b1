/** Finds the smallest request that breaks the same rule. */

import type { Json } from '@concordat/runtime';

/** The most requests sent to shrink one violation. */
const MOST = 40;

/**
 * Leaves out one part after another as long as the rule stays broken.
 *
 * @param smallerOf - the variants of a request with one part left out, the largest parts first
 * @param attempt - sends a request. @returns undefined if it shows another violation or none
 */
export async function shrunk<Case, Found>(
  first: Case,
  found: Found,
  smallerOf: (whole: Case) => Iterable<Case>,
  attempt: (smaller: Case) => Promise<Found | undefined>,
): Promise<Found> {
  let [current, smallest, left] = [first, found, MOST];
  for (let isSmaller = true; isSmaller && left > 0;) {
    isSmaller = false;
    for (const candidate of smallerOf(current)) {
      if ((left -= 1) < 0) break;
      const again = await attempt(candidate);
      if (again === undefined) continue;
      [current, smallest, isSmaller] = [candidate, again, true];
      break;
    }
  }
  return smallest;
}

/** The variants of a value with one part left out. */
export function* smallerValues(value: Json): Generator<Json> {
  if (typeof value === 'string') {
    const characters = Array.from(value);
    const { length } = characters;
    if (length > 1) yield characters.slice(0, Math.floor(length / 2)).join('');
    if (length > 2) yield characters.slice(0, -1).join('');
  } else if (Array.isArray(value)) {
    const items = value as readonly Json[];
    for (const index of items.keys()) yield items.toSpliced(index, 1);
    for (const [index, item] of items.entries()) {
      for (const smaller of smallerValues(item)) yield items.with(index, smaller);
    }
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Readonly<Record<string, Json>>;
    const members = Object.entries(object);
    for (const [name] of members) yield Object.fromEntries(members.filter(([other]) => other !== name));
    for (const [name, member] of members) {
      for (const smaller of smallerValues(member)) yield { ...object, [name]: smaller };
    }
  }
}
