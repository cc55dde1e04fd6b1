/** Finds the patterns that take too long to match some texts, with recheck, which decides exactly. */

import { createRequire } from 'node:module';
import { patternExpression } from '../compiler/assertion-conditions.js';
import { type PlainPattern, plainPatterns } from './plain-patterns.js';

/** The part of recheck that is used. `#recheck` resolves to its pure JavaScript build. */
interface Recheck {
  checkSync(source: string, flags: string, parameters: object): Diagnostics;
}

type Diagnostics =
  | { readonly status: 'safe' }
  | { readonly status: 'unknown' }
  | {
      readonly status: 'vulnerable';
      readonly complexity:
        { readonly type: 'exponential' } | { readonly type: 'polynomial'; readonly degree: number };
      readonly attack: {
        readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
        readonly suffix: string;
        readonly pattern: string;
      };
    };

/** The length of the texts that a pattern must match in time, unless a `maxLength` is smaller. */
const LENGTH = 10_000;

/**
 * The number of steps in 50 ms. A step of V8's compiled expressions takes 0.7 to 1.6 ns: for `a+b` and similar patterns, 10,000
 * characters are 50 million steps, which took 35 to 79 ms. Steps are counted instead of timed, so that a verdict never depends on
 * the machine.
 */
const STEPS = 5e7;

/** In milliseconds: far more than the 2 to 60 ms that typical patterns take. It affects no verdict but `unknown`. */
const CHECK_TIMEOUT = 10_000;

/** The verdicts by pattern. */
const known = new Map<string, readonly Verdict[]>();

interface Verdict extends PlainPattern {
  readonly found: Diagnostics;
}

/**
 * The sentence for a pattern that takes exponential time, or over 50 ms for a text of 10,000 characters or of its `maxLength`.
 *
 * @param pattern - a valid regular expression
 * @returns undefined for a pattern that is fast enough
 */
export function slownessOf(pattern: string, maxLength = LENGTH): string | undefined {
  const verdicts = known.get(pattern) ?? verdictsOf(pattern);
  known.set(pattern, verdicts);
  const length = Math.min(LENGTH, maxLength);
  for (const { found, mostRepeats } of verdicts) {
    if (found.status === 'unknown') return `"${pattern}" is too large to determine how long it takes`;
    if (found.status === 'safe') continue;
    const { complexity, attack } = found;
    if (complexity.type === 'exponential')
      return `"${pattern}" takes exponential time for texts such as ${attack.pattern}`;
    const steps = stepsOf(complexity.degree, attack, length, mostRepeats);
    if (steps > STEPS)
      return `"${pattern}" takes over 50 ms for some texts of ${String(length)} characters, such as ${attack.pattern}; a \`maxLength\` bounds it`;
  }
  return undefined;
}

/** The steps for the worst text of a length: its repeated parts are divided in every possible way, and each way reads the text once. */
function stepsOf(
  degree: number,
  {
    pumps,
    suffix,
  }: {
    readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
    readonly suffix: string;
  },
  length: number,
  mostRepeats: number,
): number {
  const fixed = suffix.length + pumps.reduce((sum, { prefix }) => sum + prefix.length, 0);
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const repeats = Math.min(mostRepeats, Math.max(0, length - fixed) / pumped);
  let ways = 1;
  for (let n = 1; n < degree; n += 1) ways *= repeats / (n + 1);
  return length * ways;
}

function verdictsOf(pattern: string): readonly Verdict[] {
  const { flags } = patternExpression(pattern);
  return plainPatterns(pattern, flags).flatMap((plain) => {
    if (plain.isSimple) return [];
    const parameters = { checker: 'automaton', timeout: CHECK_TIMEOUT };
    return [{ ...plain, found: recheck().checkSync(plain.source, flags, parameters) }];
  });
}

let loaded: Recheck | undefined;

/** Loaded on demand: loading takes some 50 ms, and a contract with simple patterns does not need it. */
function recheck(): Recheck {
  return (loaded ??= createRequire(import.meta.url)('#recheck') as Recheck);
}
