/** Holds the unsupported features that were found against those that the team accepts. */

import type { UnsupportedFeature } from './unsupported-feature.js';

/**
 * What is left of the unsupported features, and which acceptances matched none.
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
