/** Finds the differences of the keywords whose values have no order: patterns, formats, multiples and conditions on lists. */

import type { Json } from '@concordat/runtime';
import { type Keyword, tableOf } from '@concordat/runtime/parts';
import { formatOf, isChecked } from 'concordat/contract';
import {
  type Candidates,
  type Compare,
  type Doubt,
  type Effect,
  restrictionChange,
  sourceOf,
  type ValueMaker,
} from './difference.js';
import { isEqual, type SchemaView } from './schema-view.js';
import { FORMAT_VALUES, formatValues } from '../../values/format-values.js';
import { textOfPattern } from '../../values/texts.js';

/** A keyword whose values cannot be ordered, and that may hold several times through `allOf`. */
interface Restriction {
  readonly isTrivial?: (value: unknown, view: SchemaView) => boolean;
  /** Whether everything that fits one value of the keyword fits the other. */
  readonly implies?: (one: unknown, other: unknown) => boolean;
  /** The reason that the keyword may restrict nothing further, if no message proves that it does. */
  readonly doubt?: (source: SchemaView, written: readonly unknown[]) => Doubt | undefined;
  readonly values: (make: ValueMaker, written: readonly unknown[], source: SchemaView) => Candidates;
}

const RESTRICTIONS = {
  pattern: {
    isTrivial: (pattern) => isTrivialPattern(String(pattern)),
    doubt: (source) => (source.keyword('pattern') ?? source.keyword('format')) && 'implied',
    values: formValues,
  },
  format: {
    implies: (one, other) => formatOf(one)?.implies.some((format) => format === other) ?? false,
    // A format that is not checked only annotates.
    doubt: (_, written) => (written.every(isChecked) ? 'implied' : 'conditional'),
    values: function* (make, written, source) {
      yield* formValues(make, written, source);
      yield* [2 ** 31, 2 ** 53, -1];
    },
  },
  multipleOf: {
    isTrivial: (value, { types }) => types?.includes('number') === false && 1 % Number(value) === 0,
    implies: (one, other) => Number(one) % Number(other) === 0,
    *values(make, written) {
      const own = make.own();
      for (const value of written.map(Number)) {
        yield* [1, 2, 3, 0.5, 0.1, 7].flatMap((factor) => [factor * value, factor]);
        if (typeof own === 'number') yield* [own, own + 1, own + value / 2, own + 0.5];
      }
    },
  },
  uniqueItems: {
    isTrivial: (value, view) =>
      value === false || view.keywords('maxItems').some(({ value: most }) => Number(most) < 2),
    *values(make) {
      yield repeated(make.own({ minItems: 1 }));
      yield repeated(make.own({ minItems: 2 }));
    },
  },
  minContains: {
    // Without it one item is enough; with 0 `contains` restricts nothing.
    isTrivial: (value, view) => Number(value) < 2 || view.keyword('contains') === undefined,
    values: countedLists,
  },
  maxContains: { isTrivial: (_, view) => view.keyword('contains') === undefined, values: countedLists },
} satisfies Partial<Record<Keyword, Restriction>>;

/** The comparisons of these keywords. */
export const COMPARE_RESTRICTIONS = tableOf(RESTRICTIONS, (keyword): Compare => {
  const restriction: Restriction = RESTRICTIONS[keyword];
  const { isTrivial = () => false, implies = () => false, doubt, values } = restriction;
  return function* (at) {
    const [before = [], after = []] = [at.old, at.new].map((view) =>
      view.keywords(keyword).filter(({ value }) => !isTrivial(value, view)),
    );
    const isWithin = (value: unknown, others: typeof before): boolean =>
      others.some((other) => isEqual(other.value, value) || implies(other.value, value));
    const added = after.filter(({ value }) => !isWithin(value, before));
    const removed = before.filter(({ value }) => !isWithin(value, after));
    if (added.length + removed.length === 0) return;
    const effect: Effect = removed.length === 0 ? 'narrower' : added.length === 0 ? 'wider' : 'changed';
    const written = [...removed, ...added].map(({ value }) => value);
    const source = sourceOf(at, effect);
    const change = [removed[0] ?? before[0], added[0] ?? after[0]] as const;
    yield restrictionChange(at, keyword, change, effect, doubt?.(source, written), (make) =>
      values(make, written, source),
    );
  };
});

function* countedLists(make: ValueMaker, written: readonly unknown[]): Candidates {
  for (const count of written.map(Number)) {
    for (const size of [count, count + 1, count - 1])
      if (size >= 0) yield make.own({ minItems: size, maxItems: size });
  }
}

/** A list whose items are all the same. */
function repeated(list: Json | undefined): Json | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return Array.from({ length: Math.max(2, list.length) }, () => list[0] as Json);
}

/** Characters that patterns distinguish. */
export const CHARACTERS = ['!', 'a', 'A', '0', ' ', '-', '_', '.', '/', 'é', '漢', '😀', '\n'];

/** Texts that fit the patterns and formats of a schema, and texts that fit others. @param written - patterns or names of formats */
export function* formValues(make: ValueMaker, written: readonly unknown[], source: SchemaView): Candidates {
  yield make.own();
  yield* ['text', ''];
  const own = [...source.keywords('pattern'), ...source.keywords('format')].map(({ value }) => value);
  for (const form of [...new Set([...own, ...written].map(String))]) {
    yield* formatValues(form)?.samples ?? [];
    yield* formatValues(form)?.outside ?? [];
    for (const choice of [0, 1, 2, 3])
      for (const repeat of [1, 0, 2, 3, 5, 10]) yield textOfPattern(form, repeat, choice);
  }
  const bound = (keyword: string, otherwise: number): number =>
    Number(source.keyword(keyword)?.value ?? otherwise);
  const least = bound('minLength', 1);
  const lengths = [Math.max(1, least), least + 1, Math.min(least + 30, bound('maxLength', Infinity))];
  for (const length of lengths)
    for (const character of CHARACTERS) yield character.repeat(Math.min(length, LONGEST));
  for (const { samples } of Object.values(FORMAT_VALUES)) yield* samples.slice(0, 1);
}

const LONGEST = 100_000;

/** Whether every text matches a pattern: it finds an empty text at the start or at the end, or allows any characters. */
function isTrivialPattern(pattern: string): boolean {
  if (/^\^?(?:\[\\s\\S\]|\[\\S\\s\]|\[\\d\\D\]|\[\\w\\W\]|\[\^\])\*\$?$/.test(pattern)) return true;
  const unescaped = pattern.replaceAll(/\\[^bB]|\[(?:\\.|[^\]\\])*\]/gu, 'x');
  const hasBothEnds = unescaped.includes('^') && unescaped.includes('$');
  if (hasBothEnds || /\\[bB]|\(\?<?[=!]/.test(unescaped)) return false;
  try {
    return new RegExp(pattern, 'u').test('');
  } catch {
    return false;
  }
}
