/** Compares the unsupported features of a contract with those that the team accepts. */

import type { UnsupportedFeature } from './unsupported-feature.js';

/**
 * Splits off the unsupported features that are not accepted, and the acceptances that match none.
 *
 * @param accepted - names of features (`unknown-format`), or a name at one place (`unknown-format at #/components/schemas/A/format`)
 */
export function applyAcceptances(
  found: readonly UnsupportedFeature[],
  accepted: readonly string[],
): { readonly open: readonly UnsupportedFeature[]; readonly unused: readonly string[] } {
  const keysOf = ({ feature, at }: UnsupportedFeature): readonly string[] => [feature, `${feature} at ${at}`];
  const met = new Set(found.flatMap(keysOf));
  return {
    open: found.filter((each) => !keysOf(each).some((key) => accepted.includes(key))),
    unused: accepted.filter((key) => !met.has(key)),
  };
}
