/** Compares the unsupported features of a contract with those that the team accepts. */

import type { ContractProblem } from './contract-error.js';

/**
 * Splits off the unsupported features that are not accepted, and the acceptances that match none.
 *
 * @param accepted - names of features (`unknown-format`), or a name at one place (`unknown-format at #/components/schemas/A/format`)
 */
export function applyAcceptances<Found extends Pick<ContractProblem, 'feature' | 'pointer'>>(
  found: readonly Found[],
  accepted: readonly string[],
): { readonly open: readonly Found[]; readonly unused: readonly string[] } {
  const keysOf = ({ feature = '', pointer = '' }: Found): readonly string[] => [
    feature,
    `${feature} at ${pointer}`,
  ];
  const met = new Set(found.flatMap(keysOf));
  return {
    open: found.filter((each) => !keysOf(each).some((key) => accepted.includes(key))),
    unused: accepted.filter((key) => !met.has(key)),
  };
}
