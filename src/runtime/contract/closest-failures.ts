/** Picks the failures to report for a value that fits none of several schemas: those of the closest schema. */

import type { CheckError } from './contract.js';

/**
 * The failures worth reporting: the first, or, where the last says that no alternative fits, those of the alternatives
 * that got furthest. All of them concern the same place.
 */
export function closestFailures(errors: readonly CheckError[]): readonly CheckError[] {
  const verdict = errors.at(-1);
  if (verdict === undefined || !isVerdict(verdict)) return errors.slice(0, 1);
  // Several alternatives fit where only one may: the failures of the others are irrelevant.
  if (Array.isArray(verdict.params['passingSchemas'])) return [verdict];
  const reasons = errors.filter((error) => !isVerdict(error));
  const furthest = Math.max(...reasons.map((error) => reach(error, verdict.instancePath)));
  const closest = reasons.filter((error) => reach(error, verdict.instancePath) === furthest);
  const told = closest.filter(({ instancePath }) => instancePath === closest[0]?.instancePath);
  return told.length === 0 ? [verdict] : told;
}

function isVerdict({ keyword }: CheckError): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf';
}

/** How far an alternative went before it failed: its kind of value, its properties' names, what is in them. */
function reach({ keyword, instancePath, params }: CheckError, place: string): number {
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
