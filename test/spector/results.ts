/** Compares a run with the recorded results. */

import { isDeepStrictEqual } from 'node:util';
import type { Knocked } from './knock.js';
import type { Exchange } from './scenarios.js';

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
  /** How many of these have content in XML or JSON Lines, which the engine hands on unread and unchecked. */
  readonly handedOn: number;
  /** The unsupported features that each specification needs accepted. */
  readonly accepted: Readonly<Record<string, readonly string[]>>;
  /** What an OpenAPI document cannot say. */
  readonly inexpressible: readonly LeftOut[];
  /** What it can say, and does not pass. */
  readonly leftOut: readonly LeftOut[];
}

interface Run extends Knocked {
  readonly exchanges: readonly Exchange[];
  readonly accepted: Results['accepted'];
  /** The errors behind a 500, by scenario: Spector sees only the status. */
  readonly faults: ReadonlyMap<string, string>;
}

/** The part of the expressible scenarios that must pass. */
const GOAL = 0.9;

/** What a run does other than the results say, a sentence each. */
export function differencesFrom(
  results: Results,
  { passed, failed, exchanges, accepted, faults }: Run,
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
  const handedOn = [...passed].filter((scenario) =>
    exchanges.some((each) => each.scenario === scenario && isHandedOn(each)),
  );
  if (handedOn.length !== results.handedOn) {
    differences.push(`the content of ${handedOn.length} scenarios is handed on, not of ${results.handedOn}`);
  }
  if (!isDeepStrictEqual(accepted, results.accepted)) {
    differences.push(`the accepted features are ${JSON.stringify(accepted)}`);
  }
  return differences;
}

function isHandedOn({ body, answer }: Exchange): boolean {
  return [body, answer.body].some(
    (content) =>
      content !== undefined && 'contentType' in content && /[/+](xml|jsonl)$/.test(content.contentType),
  );
}
