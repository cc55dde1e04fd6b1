/** Compares a run with the recorded results. */

import { isDeepStrictEqual } from 'node:util';
import type { Knocked } from './knock.js';

interface LeftOut {
  readonly reason: string;
  readonly scenarios: readonly string[];
}

/** The contents of `results.json`. */
export interface Results {
  /** How many scenarios there are. */
  readonly scenarios: number;
  /** How many pass, over each transport. */
  readonly passed: number;
  /** The unsupported features that each specification needs accepted. */
  readonly accepted: Readonly<Record<string, readonly string[]>>;
  /** What an OpenAPI document cannot say. */
  readonly inexpressible: readonly LeftOut[];
  /** What it can say, and does not pass. */
  readonly leftOut: readonly LeftOut[];
}

interface Run extends Knocked {
  readonly accepted: Results['accepted'];
  /** The errors behind a 500, by scenario: Spector sees only the status. */
  readonly faults: ReadonlyMap<string, string>;
}

/** The part of the expressible scenarios that must pass. */
const GOAL = 0.9;

/** What a run does other than the results say, a sentence each. */
export function differencesFrom(
  results: Results,
  { passed, failed, accepted, faults }: Run,
): readonly string[] {
  const inexpressible = results.inexpressible.flatMap(({ scenarios }) => scenarios);
  const listed = [...inexpressible, ...results.leftOut.flatMap(({ scenarios }) => scenarios)];
  const differences = [
    ...[...failed]
      .filter(([scenario]) => !listed.includes(scenario))
      .map(([scenario, said]) => `${scenario} fails: ${faults.get(scenario) ?? ''} ${said}`),
    ...listed
      .filter((scenario) => passed.has(scenario))
      .map((each) => `${each} passes, and is listed as left out`),
    ...listed
      .filter((scenario) => !passed.has(scenario) && !failed.has(scenario))
      .map((scenario) => `${scenario} is left out, and does not exist`),
  ];
  const share = passed.size / (results.scenarios - inexpressible.length);
  if (share < GOAL) differences.push(`only ${(share * 100).toFixed(1)} % of what OpenAPI can say passes`);
  if (passed.size + failed.size !== results.scenarios) {
    differences.push(`there are ${passed.size + failed.size} scenarios, not ${results.scenarios}`);
  }
  if (passed.size !== results.passed)
    differences.push(`${passed.size} scenarios pass, not ${results.passed}`);
  if (!isDeepStrictEqual(accepted, results.accepted)) {
    differences.push(`the accepted features are ${JSON.stringify(accepted)}`);
  }
  return differences;
}
