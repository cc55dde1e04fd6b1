/** Picks the failures to report for a value that fits none of several schemas: those of the closest schema. */

import type { Failure } from './failure.js';

/**
 * The failures worth reporting: the failure itself, or, where it says that no alternative fits, those of the alternatives
 * that got furthest. All of them concern the same place.
 */
export function closestFailures(verdict: Failure): readonly [Failure, ...Failure[]] {
  // Several alternatives fit where only one may: the failures of the others are irrelevant.
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
    return 0; // these keywords tell alternatives apart
  }
  if (instancePath.length > place.length) return 3;
  if (keyword === 'type') return 0;
  return keyword === 'required' ? 1 : 2;
}
