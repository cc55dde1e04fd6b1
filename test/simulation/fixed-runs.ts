/** The worlds that `npm test` plays, from seeds that are always the same. */

import { type Run, drawListRun, drawRuleRun, drawRun } from './simulate.js';

const seeds = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

export const fixedRuns = (): readonly Run[] => [
  ...seeds(101, 20).map((seed) => drawRuleRun(seed, 500)),
  ...seeds(151, 12).map((seed) => drawListRun(seed, 300)),
  ...seeds(3, 16).map((seed) => drawRun(seed, 200)),
];
