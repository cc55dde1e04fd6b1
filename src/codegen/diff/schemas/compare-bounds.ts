/** Finds the differences of ranges and sizes, from all bounds that hold for a value together and those that other keywords imply. */

import { type BoundKeyword, type CountKeyword, type Keyword, type LimitRow, BOUNDS, COUNTS } from 'concordat';
import { joinPointer } from '../../text/pointer.js';
import {
  type Candidates,
  type Compare,
  type Comparison,
  type Difference,
  type Effect,
  type ValueMaker,
  keywordChange,
  sourceOf,
} from './difference.js';
import type { SchemaView } from './schema-view.js';

/** A number of a value that keywords bound at both ends. */
interface Measure {
  /** Other keywords that may bound the number. */
  readonly impliedBy: readonly Keyword[];
  /** The bounds that other keywords imply for certain. */
  readonly least?: (view: SchemaView) => number | undefined;
  readonly most?: (view: SchemaView) => number | undefined;
  readonly values: (make: ValueMaker, bound: number) => Candidates;
}

interface Limit {
  readonly value: number;
  /** As the schema has it: `1`, or `1 (excluded)`. */
  readonly text: string;
  readonly isExclusive: boolean;
  readonly keyword: string;
  readonly at: string;
}

/** Longer texts and lists are not sent. */
const LONGEST_TEXT = 200_000;
const LONGEST_LIST = 2000;

function sizes(least: string, most: string, longest: number): Measure['values'] {
  return function* (make, bound) {
    for (const size of [bound, bound + 1, bound - 1]) {
      if (size >= 0 && size <= longest) yield make.own({ [least]: size, [most]: size });
    }
    yield make.own();
    yield make.own({ [most]: Math.max(0, bound - 1) });
    if (bound < longest) yield make.own({ [least]: bound + 1 });
  };
}

const numbers: Measure['values'] = function* (make, bound) {
  yield* [bound, bound + 1, bound - 1, bound + 0.5, bound - 0.5];
  for (const keyword of ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'])
    yield make.own({ [keyword]: bound });
};

/** The number of properties that a closed object may have. */
function propertiesOf(view: SchemaView): number | undefined {
  const isClosed = view.closed !== undefined && view.keyword('patternProperties') === undefined;
  return isClosed ? view.properties.size : undefined;
}

const MEASURES: Readonly<Record<'number' | (typeof COUNTS)[CountKeyword]['unit'], Measure>> = {
  number: { impliedBy: ['format', 'multipleOf'], values: numbers },
  characters: {
    impliedBy: ['format', 'pattern'],
    least: () => 0,
    values: sizes('minLength', 'maxLength', LONGEST_TEXT),
  },
  items: {
    impliedBy: ['contains', 'prefixItems', 'uniqueItems'],
    least: () => 0,
    values: sizes('minItems', 'maxItems', LONGEST_LIST),
  },
  properties: {
    impliedBy: ['propertyNames', 'dependentRequired'],
    least: ({ required }) => required.size,
    most: propertiesOf,
    values: sizes('minProperties', 'maxProperties', LONGEST_LIST),
  },
};

/** One keyword that bounds a number, or a pair of keywords. */
interface Bound {
  readonly keyword: BoundKeyword | CountKeyword;
  readonly end: LimitRow['end'];
  /** The keyword that excludes the bound itself: a separate bound, or in 3.0 a flag. */
  readonly exclusive?: BoundKeyword;
}

const ofNumbers = (keyword: BoundKeyword, exclusive: BoundKeyword): Compare => {
  const { end } = BOUNDS[keyword];
  return (at) => compareBound(at, { keyword, exclusive, end }, MEASURES.number);
};

const ofSizes = (keyword: CountKeyword): Compare => {
  const { end, unit } = COUNTS[keyword];
  return (at) => compareBound(at, { keyword, end }, MEASURES[unit]);
};

const least = ofNumbers('minimum', 'exclusiveMinimum');
const most = ofNumbers('maximum', 'exclusiveMaximum');

/** The comparisons of bounds, in the order in which differences are reported. */
export const COMPARE_BOUNDS: Readonly<Record<BoundKeyword | CountKeyword, Compare>> = {
  minimum: least,
  exclusiveMinimum: least,
  maximum: most,
  exclusiveMaximum: most,
  minLength: ofSizes('minLength'),
  maxLength: ofSizes('maxLength'),
  minItems: ofSizes('minItems'),
  maxItems: ofSizes('maxItems'),
  minProperties: ofSizes('minProperties'),
  maxProperties: ofSizes('maxProperties'),
};

function* compareBound(at: Comparison, bound: Bound, measure: Measure): Generator<Difference> {
  const { keyword, end } = bound;
  const views = [at.old, at.new];
  const isWhole = views.every((view) => view.types?.every((type) => type !== 'number') ?? false);
  const declared = views.map((view) => strongest(limitsOf(view, bound, isWhole), end));
  const [before, after] = declared;
  if (compared(after, before, end) === 0) return;
  const [lowest, highest] = views.map((view, index) => {
    const value = measure[end]?.(view);
    const implied = value === undefined ? [] : [{ value, text: '', isExclusive: false, keyword, at: '' }];
    return strongest([...implied, ...[declared[index]].flatMap((limit) => limit ?? [])], end);
  });
  const order = compared(highest, lowest, end);
  if (order === 0) return;
  const effect: Effect = order > 0 ? 'narrower' : 'wider';
  const source = sourceOf(at, effect);
  const isImplied = measure.impliedBy.some((other) => source.keyword(other) !== undefined);
  yield {
    ...keywordChange(at, (after ?? before)?.keyword ?? keyword, before, after),
    text: textOf(before, after, keyword),
    effect,
    doubt: isImplied || source.listed !== undefined ? 'implied' : undefined,
    *values(make) {
      for (const limit of [before, after]) if (limit !== undefined) yield* measure.values(make, limit.value);
      yield* source.listed?.value ?? [];
    },
  };
}

/** `: minimum 1 → 2`, with both keywords if they differ. */
function textOf(before: Limit | undefined, after: Limit | undefined, keyword: string): string {
  const [old, next] = [before, after].map(
    (limit, index) => limit?.keyword ?? [after, before][index]?.keyword ?? keyword,
  );
  const name = old === next ? '' : `${String(next)} `;
  return `: ${String(old)} ${before?.text ?? 'none'} → ${name}${after?.text ?? 'none'}`;
}

/** How much stricter one limit is than another: above 0 for a stricter one, 0 for an equal one. */
function compared(one: Limit | undefined, other: Limit | undefined, end: LimitRow['end']): number {
  if (one === undefined || other === undefined)
    return Number(one !== undefined) - Number(other !== undefined);
  const more = end === 'least' ? one.value - other.value : other.value - one.value;
  return more === 0 ? Number(one.isExclusive) - Number(other.isExclusive) : more;
}

function strongest(limits: readonly Limit[], end: LimitRow['end']): Limit | undefined {
  return limits.toSorted((one, other) => compared(other, one, end))[0];
}

/** @param isWhole - whether all numbers are integers, so that "above 0" means "1 or more" */
function limitsOf(
  { members }: SchemaView,
  { keyword, end, exclusive }: Bound,
  isWhole: boolean,
): readonly Limit[] {
  const limits = members.flatMap(({ schema, at }) => {
    const limit = (name: string, isExclusive: boolean): readonly Limit[] => {
      const value = schema[name];
      if (typeof value !== 'number') return [];
      const text = `${String(value)}${isExclusive && name === keyword ? ' (excluded)' : ''}`;
      return [{ value, text, isExclusive, keyword: name, at: joinPointer(at, name) }];
    };
    if (exclusive === undefined) return limit(keyword, false);
    return [...limit(keyword, schema[exclusive] === true), ...limit(exclusive, true)];
  });
  if (!isWhole || exclusive === undefined) return limits;
  return limits.map(({ value, isExclusive, ...limit }) => {
    const [inwards, rounded] =
      end === 'least'
        ? [1, isExclusive ? Math.floor(value) : Math.ceil(value)]
        : [-1, isExclusive ? Math.ceil(value) : Math.floor(value)];
    return { ...limit, value: rounded + (isExclusive ? inwards : 0), isExclusive: false };
  });
}
