/** Finds the differences of ranges and sizes, from all bounds that hold for a value together and those that other keywords imply. */

import { joinPointer } from '../../text/pointer.js';
import {
  type Candidates,
  type Comparison,
  type Difference,
  type Effect,
  type ValueMaker,
  concerns,
  keywordChange,
  sourceOf,
} from './difference.js';
import type { SchemaView } from './schema-view.js';

/** One or two keywords that bound a number of a value at one end. */
interface Bound {
  readonly end: 'least' | 'most';
  /** The keyword that excludes the bound itself: a separate bound, or in 3.0 a flag. */
  readonly exclusive?: string;
  /** The types of the values that have the number. */
  readonly types: readonly string[];
  /** Other keywords that may bound the number. */
  readonly impliedBy: readonly string[];
  /** The bound that other keywords imply for certain. */
  readonly implied?: (view: SchemaView) => number | undefined;
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

function sizes(least: string, most: string, longest: number): Bound['values'] {
  return function* (make, bound) {
    for (const size of [bound, bound + 1, bound - 1]) {
      if (size >= 0 && size <= longest) yield make.own({ [least]: size, [most]: size });
    }
    yield make.own();
    yield make.own({ [most]: Math.max(0, bound - 1) });
    if (bound < longest) yield make.own({ [least]: bound + 1 });
  };
}

const numbers: Bound['values'] = function* (make, bound) {
  yield* [bound, bound + 1, bound - 1, bound + 0.5, bound - 0.5];
  for (const keyword of ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'])
    yield make.own({ [keyword]: bound });
};

const ofNumbers = { types: ['number', 'integer'], impliedBy: ['format', 'multipleOf'], values: numbers };
const ofTexts = {
  types: ['string'],
  impliedBy: ['format', 'pattern'],
  values: sizes('minLength', 'maxLength', LONGEST_TEXT),
};
const ofLists = {
  types: ['array'],
  impliedBy: ['contains', 'prefixItems', 'uniqueItems'],
  values: sizes('minItems', 'maxItems', LONGEST_LIST),
};
const ofObjects = {
  types: ['object'],
  impliedBy: ['propertyNames', 'dependentRequired'],
  values: sizes('minProperties', 'maxProperties', LONGEST_LIST),
};

const BOUNDS: Readonly<Record<string, Bound>> = {
  minimum: { end: 'least', exclusive: 'exclusiveMinimum', ...ofNumbers },
  maximum: { end: 'most', exclusive: 'exclusiveMaximum', ...ofNumbers },
  minLength: { end: 'least', ...ofTexts, implied: () => 0 },
  maxLength: { end: 'most', ...ofTexts },
  minItems: { end: 'least', ...ofLists, implied: () => 0 },
  maxItems: { end: 'most', ...ofLists },
  minProperties: { end: 'least', ...ofObjects, implied: ({ required }) => required.size },
  maxProperties: { end: 'most', ...ofObjects, implied: (view) => propertiesOf(view) },
};

/** The number of properties that a closed object may have. */
function propertiesOf(view: SchemaView): number | undefined {
  const isClosed = view.closed !== undefined && view.keyword('patternProperties') === undefined;
  return isClosed ? view.properties.size : undefined;
}

export function* compareBounds(at: Comparison): Generator<Difference> {
  for (const [keyword, bound] of Object.entries(BOUNDS)) {
    if (concerns(at, bound.types)) yield* compareBound(at, keyword, bound);
  }
}

function* compareBound(at: Comparison, keyword: string, bound: Bound): Generator<Difference> {
  const views = [at.old, at.new];
  const isWhole = views.every((view) => view.types?.every((type) => type !== 'number') ?? false);
  const declared = views.map((view) => strongest(limitsOf(view, keyword, bound, isWhole), bound));
  const [before, after] = declared;
  if (compared(after, before, bound) === 0) return;
  const [lowest, highest] = views.map((view, index) => {
    const value = bound.implied?.(view);
    const implied = value === undefined ? [] : [{ value, text: '', isExclusive: false, keyword, at: '' }];
    return strongest([...implied, ...[declared[index]].flatMap((limit) => limit ?? [])], bound);
  });
  const order = compared(highest, lowest, bound);
  if (order === 0) return;
  const effect: Effect = order > 0 ? 'narrower' : 'wider';
  const source = sourceOf(at, effect);
  const isImplied = bound.impliedBy.some((other) => source.keyword(other) !== undefined);
  yield {
    ...keywordChange(at, (after ?? before)?.keyword ?? keyword, before, after),
    text: textOf(before, after, keyword),
    effect,
    doubt: isImplied || source.listed !== undefined ? 'implied' : undefined,
    *values(make) {
      for (const limit of [before, after]) if (limit !== undefined) yield* bound.values(make, limit.value);
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
function compared(one: Limit | undefined, other: Limit | undefined, { end }: Bound): number {
  if (one === undefined || other === undefined)
    return Number(one !== undefined) - Number(other !== undefined);
  const more = end === 'least' ? one.value - other.value : other.value - one.value;
  return more === 0 ? Number(one.isExclusive) - Number(other.isExclusive) : more;
}

function strongest(limits: readonly Limit[], bound: Bound): Limit | undefined {
  return limits.toSorted((one, other) => compared(other, one, bound))[0];
}

/** @param isWhole - whether all numbers are integers, so that "above 0" means "1 or more" */
function limitsOf(
  { members }: SchemaView,
  keyword: string,
  { end, exclusive }: Bound,
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
