/** Picks what to tell of a value that fits none of several schemas: what it lacks of the one that it comes closest to. */

import type { Failure } from './failure.js';

/**
 * The failures worth telling: the failure itself, or where it says that no alternative fits, those of the alternatives
 * that went furthest. All of them are about one place.
 */
export function closestFailures(verdict: Failure): readonly [Failure, ...Failure[]] {
  // Several alternatives fit where one may: what the others lack is not the point.
  if (verdict.alternatives === undefined || Array.isArray(verdict.params['passingSchemas'])) return [verdict];
  const reasons = reasonsOf(verdict);
  const furthest = Math.max(...reasons.map((failure) => reach(failure, verdict.instancePath)));
  const closest = reasons.filter((failure) => reach(failure, verdict.instancePath) === furthest);
  const [first, ...others] = closest;
  if (first === undefined) return [verdict];
  return [first, ...others.filter(({ instancePath }) => instancePath === first.instancePath)];
}

/** The first failure of each alternative, and of the alternatives inside it. */
function reasonsOf({ alternatives = [] }: Failure): readonly Failure[] {
  return alternatives.flatMap(([first]) => {
    if (first === undefined) return [];
    return first.alternatives === undefined ? [first] : reasonsOf(first);
  });
}

/** How far an alternative went before it failed: its kind of value, its properties' names, what is in them. */
function reach({ keyword, instancePath, params }: Failure, place: string): number {
  if (
    keyword === 'const' ||
    (Array.isArray(params['allowedValues']) && params['allowedValues'].length === 1)
  ) {
    return 0; // what tells alternatives apart
  }
  if (instancePath.length > place.length) return 3;
  if (keyword === 'type') return 0;
  return keyword === 'required' ? 1 : 2;
}
