/** Bounds what a refused client is told, because it chose the names in its body and how many of them are wrong. */

import type { ProblemFailure } from '../../http/problem.js';

/** How many failures are told. */
const MOST = 20;

/** Of the pointer and the sentence together. The first failure is told in any case. */
const MOST_CHARACTERS = 1000;

/**
 * The failures to tell: each place and sentence once. A property that could not be decoded is not told as missing, too.
 *
 * @param failures - those of decoding before those of the schemas
 */
export function boundedFailures(failures: readonly ProblemFailure[]): readonly ProblemFailure[] {
  const told = new Map<string, ProblemFailure>();
  const places = new Set<string>();
  for (const failure of failures) {
    const { pointer, keyword, detail } = failure;
    if (told.size === MOST) break;
    const isKnown = told.has(detail) || (keyword === 'required' && places.has(pointer));
    if (isKnown || (told.size > 0 && pointer.length + detail.length > MOST_CHARACTERS)) continue;
    told.set(detail, failure);
    places.add(pointer);
  }
  return [...told.values()];
}
