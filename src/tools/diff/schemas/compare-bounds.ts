/** Finds the differences of ranges and sizes, from all bounds that hold for a value together and those that other keywords imply. */

import {
  BOUNDS,
  type BoundKeyword,
  COUNTS,
  type CountKeyword,
  type Keyword,
  type LimitRow,
  sameRow,
} from '@concordat/runtime/parts';
import { joinPointer } from 'concordat/contract';
import {
  type Candidates,
  type Compare,
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
  readonly text: string;
  readonly isExclusive: boolean;
  readonly keyword: BoundKeyword | CountKeyword;
  readonly at: string;
}

/** Longer texts and lists are not sent. */
const LONGEST_TEXT = 200_000;
const LONGEST_LIST = 2000;

function sizes(least: string, most: string, longest: number): Measure['values'] {
  return function* (make, bound) {
    for (const size of [bound, bound + 1, bound - 1])
      if (size >= 0 && size <= longest) yield make.own({ [least]: size, [most]: size });
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

type Unit = (typeof COUNTS)[CountKeyword]['unit'];

const MEASURES: Readonly<Record<'number' | Unit, Measure>> = {
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

const LIMITS: Readonly<Record<BoundKeyword | CountKeyword, LimitRow & { readonly unit?: Unit }>> = {
  ...BOUNDS,
  ...COUNTS,
};

/** @param exclusive - the keyword of limits that are excluded themselves */
function limit(keyword: BoundKeyword | CountKeyword, exclusive?: BoundKeyword): Compare {
  const { end, unit = 'number' } = LIMITS[keyword];
  const measure = MEASURES[unit];
  const sign = end === 'least' ? 1 : -1;

  /** How much stricter one limit is than another: above 0 for a stricter one, 0 for an equal one. */
  const compared = (one: Limit | undefined, other: Limit | undefined): number => {
    if (one === undefined || other === undefined)
      return Number(one !== undefined) - Number(other !== undefined);
    return sign * (one.value - other.value) || Number(one.isExclusive) - Number(other.isExclusive);
  };
  const strongest = (limits: readonly Limit[]): Limit | undefined =>
    limits.toSorted((one, other) => compared(other, one))[0];

  /** @param isWhole - whether all numbers are integers, so that "above 0" means "1 or more" */
  const declaredIn = ({ members }: SchemaView, isWhole: boolean): Limit | undefined => {
    const limits = members.flatMap(({ schema, at }) => {
      const named = (name: BoundKeyword | CountKeyword, isExclusive: boolean): readonly Limit[] => {
        const value = schema[name];
        if (typeof value !== 'number') return [];
        const rest = { text: String(value), keyword: name, at: joinPointer(at, name) };
        if (!isWhole) return [{ value, isExclusive, ...rest }];
        const inwards = isExclusive ? Math.floor(sign * value) + 1 : Math.ceil(sign * value);
        return [{ value: sign * inwards, isExclusive: false, ...rest }];
      };
      return [...named(keyword, false), ...(exclusive === undefined ? [] : named(exclusive, true))];
    });
    return strongest(limits);
  };

  return function* (at) {
    const views = [at.old, at.new];
    const isWhole = views.every((view) => view.types?.every((type) => type !== 'number') ?? false);
    const declared = views.map((view) => declaredIn(view, isWhole));
    const [before, after] = declared;
    if (compared(after, before) === 0) return;
    const [lowest, highest] = views.map((view, index) => {
      const value = measure[end]?.(view);
      const implied = value === undefined ? [] : [{ value, text: '', isExclusive: false, keyword, at: '' }];
      return strongest([...implied, ...[declared[index]].flatMap((own) => own ?? [])]);
    });
    const order = compared(highest, lowest);
    if (order === 0) return;
    const effect: Effect = order > 0 ? 'narrower' : 'wider';
    const source = sourceOf(at, effect);
    const isImplied = measure.impliedBy.some((other) => source.keyword(other) !== undefined);
    const [old, next] = [before ?? after, after ?? before].map((own) => own?.keyword ?? keyword);
    yield {
      ...keywordChange(at, next ?? keyword, before, after),
      text: `: ${String(old)} ${before?.text ?? 'none'} → ${old === next ? '' : `${String(next)} `}${after?.text ?? 'none'}`,
      effect,
      doubt: isImplied || source.listed !== undefined ? 'implied' : undefined,
      *values(make) {
        for (const own of [before, after]) if (own !== undefined) yield* measure.values(make, own.value);
        yield* source.listed?.value ?? [];
      },
    };
  };
}

const least = limit('minimum', 'exclusiveMinimum');
const most = limit('maximum', 'exclusiveMaximum');

/** The comparisons of limits, in the order in which differences are reported. */
export const COMPARE_BOUNDS: Readonly<Record<BoundKeyword | CountKeyword, Compare>> = {
  ...sameRow(least, 'minimum', 'exclusiveMinimum'),
  ...sameRow(most, 'maximum', 'exclusiveMaximum'),
  minLength: limit('minLength'),
  maxLength: limit('maxLength'),
  minItems: limit('minItems'),
  maxItems: limit('maxItems'),
  minProperties: limit('minProperties'),
  maxProperties: limit('maxProperties'),
};
