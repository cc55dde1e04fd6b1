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
      readonly attack: Attack;
    };

interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
  readonly suffix: string;
  readonly pattern: string;
}

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

/** A longer pattern is checked in parts, because the time of the checker grows faster than the pattern. */
const MOST_UNDIVIDED = 200;

/** The verdicts by pattern. */
const known = new Map<string, readonly Verdict[]>();

interface Verdict extends PlainPattern {
  readonly found: Diagnostics;
}

/** Why a pattern may take too long: a text is known for which it does, or nothing shows that there is none. */
export interface Slowness {
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
  for (const { found, mostRepeats } of verdicts) {
    if (found.status !== 'vulnerable') continue;
    const { complexity, attack } = found;
    const isExponential = complexity.type === 'exponential';
    const takes = isExponential
      ? 'exponential time for texts'
      : `over 50 ms for some texts of ${String(length)} characters,`;
    if (isExponential || stepsOf(complexity.degree, attack, length, mostRepeats) > STEPS)
      return {
        feature: 'slow-pattern',
        message: `"${pattern}" takes ${takes} such as ${attack.pattern}${isExponential ? '' : '; a `maxLength` bounds it'}`,
      };
  }
  for (const { found, undecided } of verdicts) {
    const reason = found.status === 'unknown' ? 'is too large' : undecided && `has a ${undecided}`;
    if (reason !== undefined)
      return {
        feature: 'undecided-pattern',
        message: `"${pattern}" ${reason}: nothing shows how long it takes`,
      };
  }
  return undefined;
}

/** The steps for the worst text of a length: its repeated parts are divided in every possible way, and each way reads the text once. */
function stepsOf(degree: number, { pumps, suffix }: Attack, length: number, mostRepeats: number): number {
  const fixed = suffix.length + pumps.reduce((sum, { prefix }) => sum + prefix.length, 0);
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const repeats = Math.min(mostRepeats, Math.max(0, length - fixed) / pumped);
  let ways = 1;
  for (let n = 1; n < degree; n += 1) ways *= repeats / (n + 1);
  return length * ways;
}

function verdictsOf(pattern: string): readonly Verdict[] {
  const { flags } = patternExpression(pattern);
  const check = (source: string): Diagnostics =>
    recheck().checkSync(source, flags, { checker: 'automaton', timeout: CHECK_TIMEOUT });
  return plainPatterns(pattern, flags).flatMap((plain): readonly Verdict[] => {
    if (plain.isSimple) return [{ ...plain, found: { status: 'safe' } }];
    const parts = plain.source.length > MOST_UNDIVIDED ? divided(plain.source) : [plain.source];
    const open = parts.length === 1 ? parts : parts.filter((part) => !isSimple(part, flags));
    return [
      { ...plain, found: { status: 'safe' } },
      ...open.map((part) => ({ ...plain, found: check(part) })),
    ];
  });
}

function isSimple(pattern: string, flags: string): boolean {
  return plainPatterns(pattern, flags).every((each) => each.isSimple);
}

const TOKEN = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\?:|\?<[^>]*>)?|[^]/g;

/** A plain pattern once for each alternative of its longest choice outside of loops. The ways to match it are the sum of the ways to match these. */
function divided(source: string): readonly string[] {
  const choices: (readonly number[])[] = [];
  // For each open group, where its alternatives begin, and the number of choices before it.
  const groups: { readonly starts: number[]; readonly earlier: number }[] = [];
  let group = { starts: [0], earlier: 0 };
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    const next = index + token.length;
    if (token.startsWith('(')) {
      groups.push(group);
      group = { starts: [next], earlier: choices.length };
    } else if (token === '|') group.starts.push(next);
    else if (token === ')') {
      if (/[*+?{]/.test(source.charAt(next))) choices.length = group.earlier;
      else choices.push([...group.starts, next]);
      group = groups.pop() ?? group;
    }
  }
  choices.push([...group.starts, source.length + 1]);
  const length = (bounds: readonly number[]): number => (bounds.at(-1) ?? 0) - (bounds[0] ?? 0);
  const [bounds = []] = choices
    .filter(({ length }) => length > 2)
    .sort((one, other) => length(other) - length(one));
  const [first = 0] = bounds;
  const before = source.slice(0, first);
  const after = source.slice((bounds.at(-1) ?? 1) - 1);
  const alternatives = bounds.slice(1).map((end, index) => source.slice(bounds[index], end - 1));
  return alternatives.length === 0 ? [source] : alternatives.map((each) => before + each + after);
}

let loaded: Recheck | undefined;

/** Loaded on demand: loading takes some 50 ms, and a contract with simple patterns does not need it. */
function recheck(): Recheck {
  return (loaded ??= createRequire(import.meta.url)('#recheck') as Recheck);
}
