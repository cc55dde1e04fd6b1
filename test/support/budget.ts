/**
 * How much random tests and matrices try: little in `npm test`, and all where `TEST_RUNS=large`, as in `.ci/run`. The nightly workflow adds
 * `EVERY_CONTRACT`.
 */

/** Whether everything is tried. */
export const triesMuch = process.env['TEST_RUNS'] === 'large' || process.env['EVERY_CONTRACT'] !== undefined;

/** How often a random test runs. @param large - how often where everything is tried; a tenth of it is enough otherwise */
export function runs(large: number): number {
  return triesMuch ? large : Math.ceil(large / 10);
}

/** The members of a matrix that a test tries. @param every - one of so many, from the one at `first` on, unless everything is tried */
export function someOf<T>(members: readonly T[], every: number, first = 0): readonly T[] {
  return triesMuch ? members : members.filter((_, index) => index % every === first);
}

/** The option with which a verification ends at the first violation of a rule, but in the nightly workflow. @param operation - of any, if absent */
export function untilFound(rule: string, operation?: string): object {
  if (process.env['EVERY_CONTRACT'] !== undefined) return {};
  const until = (found: { readonly rule: string; readonly operation: string }): boolean =>
    found.rule === rule && found.operation === (operation ?? found.operation);
  return { until };
}
