/** Explains how a value fails the keywords that hold no schemas, a row for each. */

import {
  type AssertionKeyword,
  type BoundKeyword,
  type Comparison,
  type CountKeyword,
  type JsonType,
  type KeywordRow,
  ASSERTIONS,
  BOUNDS,
  COUNTS,
  tableOf,
} from '../contract/keywords.js';
import { type Finding, type SchemaKeywords, finding } from './failure.js';
import { canonical, isMultiple, isObject } from './json-value.js';

/** Findings without their keyword. The types of a keyword's values are those that generated checks carry. */
type Found = readonly Omit<Finding, 'keyword'>[];
type Explain = (given: never, value: never, schema: SchemaKeywords) => Found;

const unless = (fits: boolean, params: Finding['params'], message: string): Found =>
  fits ? [] : [{ params, message }];

const HOLDS: Readonly<Record<Comparison, (value: number, limit: number) => boolean>> = {
  '<=': (value, limit) => value <= limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '>': (value, limit) => value > limit,
};

const bound = (keyword: BoundKeyword): Explain => {
  const { comparison } = BOUNDS[keyword];
  return (limit: number, value: number) =>
    unless(HOLDS[comparison](value, limit), { comparison, limit }, `must be ${comparison} ${limit}`);
};

const lengthOf = (text: string): number => Array.from(text).length;

const SIZES: Readonly<Record<(typeof COUNTS)[CountKeyword]['unit'], (value: never) => number>> = {
  characters: lengthOf,
  items: (items: readonly unknown[]) => items.length,
  properties: (object: object) => Object.keys(object).length,
};

const count = (keyword: CountKeyword): Explain => {
  const { end, comparison, unit } = COUNTS[keyword];
  const word = end === 'most' ? 'more' : 'fewer';
  return (limit: number, value) => {
    const fits = HOLDS[comparison](SIZES[unit](value), limit);
    return unless(fits, { limit }, `must NOT have ${word} than ${limit} ${unit}`);
  };
};

/** The type is explained first, and the number of fitting items with `contains`. */
type Explained = Exclude<AssertionKeyword, 'type' | 'minContains' | 'maxContains'>;

const NOT_LISTED = 'must be equal to one of the allowed values';

/** In the order of the failures. */
const EXPLANATIONS: Readonly<Record<Explained, Explain>> = {
  ...tableOf(BOUNDS, bound),
  multipleOf: (multipleOf: number, value: number) =>
    unless(isMultiple(value, multipleOf), { multipleOf }, `must be multiple of ${multipleOf}`),
  ...tableOf(COUNTS, count),
  pattern: (pattern: string, value: string, { maxLength = Infinity }) => {
    // Matching a pattern may take too long for a text that is too long.
    const isTooLong = lengthOf(value) > Number(maxLength);
    return unless(
      isTooLong || expression(pattern).test(value),
      { pattern },
      `must match pattern "${pattern}"`,
    );
  },
  format: (format: string, value: unknown, schema) =>
    unless(formatTest(schema, typeof value)?.(value) !== false, { format }, `must match format "${format}"`),
  const: (allowedValue, value) =>
    unless(canonical(value) === canonical(allowedValue), { allowedValue }, 'must be equal to constant'),
  enum: (allowedValues: readonly unknown[], value) => {
    const text = canonical(value);
    const isListed = allowedValues.some((each) => canonical(each) === text);
    return unless(isListed, { allowedValues }, NOT_LISTED);
  },
  uniqueItems: (given: boolean, items: readonly unknown[]) => {
    const seen = new Map<string, number>();
    for (const [i, item] of (given ? items : []).entries()) {
      const text = canonical(item);
      const j = seen.get(text);
      const message = `must NOT have duplicate items (items ## ${String(j)} and ${i} are identical)`;
      if (j !== undefined) return unless(false, { i, j }, message);
      seen.set(text, i);
    }
    return [];
  },
  required: (names: readonly string[], value: object) =>
    names.flatMap((name) =>
      unless(has(value, name), { missingProperty: name }, `must have required property '${name}'`),
    ),
  dependentRequired: (given: Readonly<Record<string, readonly string[]>>, value: object) =>
    Object.entries(given).flatMap(([property, names]) => {
      const missingProperty = has(value, property) ? names.find((name) => !has(value, name)) : undefined;
      const deps = names.join(', ');
      const params = { property, missingProperty, depsCount: names.length, deps };
      const noun = names.length === 1 ? 'property' : 'properties';
      const message = `must have ${noun} ${deps} when property ${property} is present`;
      return unless(missingProperty === undefined, params, message);
    }),
};

/** Whether an object has a property; one that is undefined counts as absent. */
export function has(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && (value as Readonly<Record<string, unknown>>)[name] !== undefined;
}

/** The rows of the keywords that restrict values of one type, or of several. */
function rowsFor(type: JsonType | undefined): readonly (readonly [string, Explain])[] {
  const assertions: Readonly<Record<Explained, KeywordRow>> = ASSERTIONS;
  return Object.entries(EXPLANATIONS).filter(([keyword]) => assertions[keyword as Explained].type === type);
}

const ROWS = {
  number: rowsFor('number'),
  string: rowsFor('string'),
  array: rowsFor('array'),
  object: rowsFor('object'),
  any: rowsFor(undefined),
};

/** The failures by the keywords for values of one type, or by those for all values. */
export function findings(
  type: keyof typeof ROWS,
  schema: SchemaKeywords,
  value: unknown,
): readonly Finding[] {
  const found: Finding[] = [];
  for (const [keyword, explain] of ROWS[type]) {
    if (!(keyword in schema)) continue;
    for (const each of explain(schema[keyword] as never, value as never, schema))
      found.push({ keyword, ...each });
  }
  return found;
}

/** The failure of the type, if any; it makes the other keywords irrelevant. */
export function typeFinding(
  { type, enum: allowedValues }: SchemaKeywords,
  value: unknown,
): Finding | undefined {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const isOfType = types.some((each) => TYPES[String(each)]?.(value) ?? typeof value === each);
  if (type === undefined || isOfType) return undefined;
  // `nullable` beside an enum without null allows no null (OpenAPI 3.0.4), so the type alone would surprise its author.
  if (value === null && Array.isArray(allowedValues)) return finding('enum', { allowedValues }, NOT_LISTED);
  return finding('type', { type }, `must be ${types.join()}`);
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
  number: Number.isFinite,
  integer: Number.isInteger,
};

/** The test of a schema's format for values of a type; undefined if the format does not restrict them. */
export function formatTest(
  { fitsFormat }: SchemaKeywords,
  type: string,
): ((value: unknown) => boolean) | undefined {
  return (fitsFormat as Readonly<Record<string, (value: unknown) => boolean>> | undefined)?.[type];
}

const expressions = new Map<string, RegExp>();

/** The regular expression of a pattern: with the flag `u`, or without it if the pattern is only valid then. */
export function expression(pattern: string): RegExp {
  let known = expressions.get(pattern);
  if (known === undefined) {
    try {
      known = new RegExp(pattern, 'u');
    } catch {
      known = new RegExp(pattern);
    }
    expressions.set(pattern, known);
  }
  return known;
}
