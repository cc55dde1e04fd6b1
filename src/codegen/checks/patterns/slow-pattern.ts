/** Finds the patterns that take too long to match some texts. */

import { patternExpression } from '../compiler/assertion-conditions.js';
import { type PlainPattern, plainPatterns } from './pattern-tree.js';
import { type Growth, growthOf } from './ways.js';

/** The length of the texts that a pattern must match in time, unless a `maxLength` is smaller. */
const LENGTH = 10_000;

/**
 * The number of steps in 50 ms. A step of V8's compiled expressions takes 0.7 to 1.6 ns: for `a+b` and similar patterns, 10,000
 * characters are 50 million steps, which took 35 to 79 ms. Steps are counted instead of timed, so that a verdict never depends on
 * the machine.
 */
const STEPS = 5e7;

/** The verdicts by pattern. */
const known = new Map<string, readonly Verdict[]>();

interface Verdict extends Pick<PlainPattern, 'undecided'> {
  readonly growth: Growth;
}

/** Why a pattern may take too long: a text is known for which it does, or nothing shows that there is none. */
interface Slowness {
  readonly feature: 'slow-pattern' | 'undecided-pattern';
  readonly message: string;
}

/**
 * Finds a pattern that takes exponential time, or over 50 ms for a text of 10,000 characters or of its `maxLength`, and one whose time
 * is not determined.
 *
 * @param pattern - a valid regular expression
 * @returns undefined for a pattern that is fast enough
 */
export function slownessOf(pattern: string, maxLength = LENGTH): Slowness | undefined {
  const verdicts = known.get(pattern) ?? verdictsOf(pattern);
  known.set(pattern, verdicts);
  const length = Math.min(LENGTH, maxLength);
  for (const { growth } of verdicts) {
    if (growth.kind === 'undecided') continue;
    const isExponential = growth.kind === 'exponential';
    if (!isExponential && stepsOf(growth, length) <= STEPS) continue;
    const takes = isExponential
      ? 'exponential time for texts'
      : `over 50 ms for some texts of ${length} characters,`;
    const bound = isExponential ? '' : '; a `maxLength` bounds it';
    const message = `"${pattern}" takes ${takes} such as those that repeat ${JSON.stringify(growth.pump)}${bound}`;
    return { feature: 'slow-pattern', message };
  }
  for (const { growth, undecided } of verdicts) {
    const reason = growth.kind === 'undecided' ? 'is too large' : undecided && `has a ${undecided}`;
    if (reason === undefined) continue;
    const message = `"${pattern}" ${reason}: nothing shows how long it takes`;
    return { feature: 'undecided-pattern', message };
  }
  return undefined;
}

/** The steps for the worst text of a length: its repeated parts are divided in every possible way, and each way reads the text once. */
function stepsOf(
  { degree, pumped, mostRepeats }: Extract<Growth, { readonly kind: 'polynomial' }>,
  length: number,
): number {
  const repeats = Math.min(mostRepeats, length / Math.max(1, pumped));
  let ways = 1;
  for (let n = 1; n <= degree; n += 1) ways *= repeats / (n + 1);
  return length * ways;
}

function verdictsOf(pattern: string): readonly Verdict[] {
  const { flags } = patternExpression(pattern);
  return plainPatterns(pattern).map((plain) => ({ ...plain, growth: growthOf(plain, flags) }));
}
