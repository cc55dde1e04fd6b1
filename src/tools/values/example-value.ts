/** Makes plain values that schemas accept, the same on every run. */

import type { Json } from '@concordat/runtime';
import { canonical } from '@concordat/runtime/parts';
import {
  allChoices,
  containedParts,
  endsAtPrefix,
  flattened,
  itemParts,
  namesIn,
  prefixLength,
  propertyParts,
  requiredNames,
} from './inner-parts.js';
import { fitsRange, typicalNumber } from './numbers.js';
import {
  type Part,
  type PlainPart,
  type Schema,
  countsOf,
  examplesIn,
  identityOf,
  memoryOf,
  remembered,
  impliedTypes,
  listedValues,
  partIn,
  typesOf,
} from './parts.js';
import { namedValues } from './named-values.js';
import { fitsText, typicalText } from './texts.js';

export interface ExampleOptions {
  /** Requests leave out `readOnly` properties; responses leave out `writeOnly` properties. */
  readonly direction: 'request' | 'response';
  /** Whether objects also have their optional properties. */
  readonly full: boolean;
  /** The values that are taken, unchecked, from the `example`, `examples` or `default` of their schemas, if these have any. */
  readonly own?: 'all' | 'leaves';
  /** Whether optional values of a schema are made inside a value of the same schema; true unless given. */
  readonly nests?: boolean;
  /** Whether texts and numbers look like what the name of their property says; not unless given. */
  readonly named?: boolean;
}

/** The values of some properties; a property that is undefined is left out. */
type Overrides = Readonly<Record<string, Json | undefined>>;

/** Deeper values have only required parts. A schema that requires itself without end has no value. */
const DEPTH_OF_OPTIONAL = 4;
const DEPTH = 16;

/** The context in which a value is made. */
interface Making {
  readonly options: ExampleOptions;
  /** The places of the schemas of each enclosing value. */
  readonly around: readonly (readonly string[])[];
  /** The number of values that may still be tried, because alternatives multiply with each level. */
  readonly budget: { left: number };
  /** Counts the values of the same schemas that must differ from each other; 0 for the most typical one. */
  readonly nth: number;
  /** The name of the property that the value is of, or is a part of, if values look like their names. */
  readonly name?: string;
}

const MOST_TRIED = 5000;
/** After so many values, objects have only required members: types that refer to each other have more paths than an example needs. */
const MOST_OPTIONAL = 1000;

/**
 * A value that all schemas probably accept. The caller must check it, because `not` is ignored, and a second alternative of a `oneOf`
 * may accept the value too.
 *
 * @param overrides - the values of some properties, if the value is an object
 * @returns undefined if the schemas contradict each other
 */
export function exampleValue(
  parts: readonly Part[],
  options: ExampleOptions,
  overrides?: Overrides,
): Json | undefined {
  if (overrides === undefined) return firstValue(parts, newMaking(options));
  return firstOf(exampleValues(parts, options, overrides));
}

/** One of the values of answers that differ from each other. @param nth - from 0 @param name - of the property that the value is of */
export function nthExample(parts: readonly Part[], nth: number, name: string): Json | undefined {
  const options = { direction: 'response', full: true, nests: false, named: true } as const;
  return firstValue(parts, { ...newMaking(options), nth, name });
}

/** Makes a value for each choice among the alternatives of the schemas. */
export const exampleValues = (
  parts: readonly Part[],
  options: ExampleOptions,
  overrides?: Overrides,
): Generator<Json> => valuesOf(parts, newMaking(options), overrides);

const newMaking = (options: ExampleOptions): Making => {
  return { options, around: [], budget: { left: MOST_TRIED }, nth: 0 };
};

function firstOf(values: Iterable<Json>): Json | undefined {
  for (const value of values) return value;
  return undefined;
}

function* valuesOf(parts: readonly Part[], making: Making, overrides: Overrides = {}): Generator<Json> {
  if (making.around.length > DEPTH) return;
  for (const plain of allChoices(parts, making.options.full ? 'full' : 'all')) {
    making.budget.left -= 1;
    if (making.budget.left < 0) return;
    const value = plainValue(plain, making, overrides);
    if (value !== undefined) yield value;
  }
}

interface Made {
  readonly value: Json | undefined;
  /** The part of the budget that it took. */
  readonly spent: number;
}

/** The first value of schemas. The same schemas are found in many values, so the value is remembered. */
function firstValue(parts: readonly Part[], making: Making): Json | undefined {
  const { options, around, budget, nth, name = '' } = making;
  const { direction, full, own = '', nests, named = false } = options;
  const memory = nests === false ? undefined : memoryOf(parts);
  const key = memory && [direction, full, own, around.length, nth, named, name, identityOf(parts)].join(' ');
  const known = key === undefined ? undefined : (memory?.get(key) as Made | undefined);
  if (known !== undefined && known.spent <= budget.left) {
    budget.left -= known.spent;
    return known.value;
  }
  const before = budget.left;
  const value = firstOf(valuesOf(parts, making));
  if (key !== undefined && budget.left >= 0) memory?.set(key, { value, spent: before - budget.left });
  return value;
}

/** A value for schemas without alternatives. */
function plainValue(plain: readonly PlainPart[], making: Making, overrides: Overrides): Json | undefined {
  const { nth, options, name } = making;
  const { own } = options;
  const hasOverrides = Object.keys(overrides).length > 0;
  const [type] = typesOf(plain) ?? (hasOverrides ? ['object'] : impliedTypes(plain));
  const isLeaf = type !== 'object' && type !== 'array';
  const given = nth === 0 && (own === 'all' || (isLeaf && own === 'leaves')) ? ownValue(plain) : undefined;
  if (given !== undefined) return given;
  const listed = listedValues(plain)?.filter((value) => fitsBounds(plain, value));
  if (listed !== undefined) return listed[nth % listed.length];
  const looks = name === undefined ? undefined : namedValues(name, type, nth);
  const found = looks?.find((value) => fitsBounds(plain, value) && !hasFormat(plain, value));
  if (found !== undefined) return found;
  switch (type) {
    case 'object':
      return exampleObject(plain, making, overrides);
    case 'array':
      return exampleArray(plain, making);
    case 'null':
      return null;
    case 'boolean':
      return nth % 2 === 0;
    case 'string':
      return typicalText(plain, nth);
    default:
      return typicalNumber(plain, type === 'integer', nth);
  }
}

/** Whether a listed value fits the bounds that the schemas have for values of its type. */
function fitsBounds(plain: readonly PlainPart[], value: Json): boolean {
  if (typeof value === 'string') return fitsText(plain, value);
  return typeof value !== 'number' || fitsRange(plain, value);
}

/** Whether a format says more of a text than its name does. */
const hasFormat = (plain: readonly PlainPart[], value: Json): boolean =>
  typeof value === 'string' && plain.some(({ schema }) => schema['format'] !== undefined);

/** A value that one of the schemas contains: an example, else a default. */
function ownValue(plain: readonly PlainPart[]): Json | undefined {
  const values = [...plain.flatMap(examplesIn), ...plain.map(({ schema }) => schema['default'])];
  return values.find((value) => value !== undefined) as Json | undefined;
}

function exampleObject(plain: readonly PlainPart[], making: Making, overrides: Overrides): Json | undefined {
  const { options, around, nth } = making;
  const inside = { ...making, around: [...around, plain.map(({ at }) => at)] };
  const required = requiredNames(plain);
  const isSmall = around.length < DEPTH_OF_OPTIONAL && making.budget.left > MOST_TRIED - MOST_OPTIONAL;
  const isFull = (options.full || nth > 0) && isSmall;
  const value: Record<string, Json> = {};
  for (const name of new Set([...required, ...(isFull ? namesIn(plain, 'properties') : [])])) {
    if (Object.hasOwn(overrides, name)) continue;
    const property = propertyParts(plain, name);
    if (property === undefined && required.has(name)) return undefined;
    if (property === undefined || isHidden(property, options.direction)) continue;
    if (!required.has(name) && isNested(property, inside)) continue;
    const made = firstValue(property, options.named === true ? { ...inside, name } : inside);
    if (made === undefined && required.has(name)) return undefined;
    if (made !== undefined) value[name] = made;
  }
  for (const [name, given] of Object.entries(overrides)) if (given !== undefined) value[name] = given;
  // An object without properties differs from no other.
  const least = Math.max(countsOf(plain, 'Properties').least, Math.min(nth, 1));
  for (const name of namesIn(plain, 'properties')) {
    if (Object.keys(value).length >= least) break;
    if (Object.hasOwn(value, name) || Object.hasOwn(overrides, name)) continue;
    const property = propertyParts(plain, name);
    const isOpen = property !== undefined && !isHidden(property, options.direction);
    const made = isOpen ? firstValue(property, inside) : undefined;
    if (made !== undefined) value[name] = made;
  }
  const names = plain
    .filter(({ schema }) => 'propertyNames' in schema)
    .map((part) => partIn(part, part.schema['propertyNames'] as Schema, 'propertyNames'));
  for (let n = 1; Object.keys(value).length < least && n <= least; n += 1) {
    const name = names.length === 0 ? `key${n}` : firstValue(names, { ...inside, nth: n - 1 });
    if (typeof name !== 'string') break;
    const made = firstValue(propertyParts(plain, name) ?? [], inside);
    if (made !== undefined) value[name] = made;
  }
  return value;
}

export function isHidden(parts: readonly Part[], direction: ExampleOptions['direction']): boolean {
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  return remembered(parts, flag, () => flattened(parts).some(({ schema }) => schema[flag] === true));
}

/** Whether an enclosing value has one of the schemas, or that of the items of a list that cannot be empty, and values do not nest. */
function isNested(parts: readonly Part[], making: Making): boolean {
  const { options, around } = making;
  if (options.nests !== false) return false;
  const flat = flattened(parts);
  if (flat.some(({ at }) => around.some((places) => places.includes(at)))) return true;
  return countsOf(flat, 'Items').least > 0 && isNested(exampleItemParts(flat, 0), making);
}

function exampleArray(plain: readonly PlainPart[], making: Making): Json | undefined {
  const { options, around } = making;
  const inside = { ...making, around: [...around, plain.map(({ at }) => at)] };
  const { least, most } = countsOf(plain, 'Items');
  const isSmall = around.length < DEPTH_OF_OPTIONAL;
  const isFilled = options.full && isSmall && !isNested(exampleItemParts(plain, 0), inside);
  const end = endsAtPrefix(plain) ? prefixLength(plain) : Infinity;
  const length = Math.min(most, Math.max(least, isFilled ? Math.min(1, end) : 0));
  const isUnique = plain.some(({ schema }) => schema['uniqueItems'] === true);
  const value: Json[] = [];
  for (let index = 0; index < length; index += 1) {
    const parts = exampleItemParts(plain, index);
    const made = isUnique ? newValue(parts, inside, value) : firstValue(parts, inside);
    if (made === undefined) return value.length >= least ? value : undefined;
    value.push(made);
  }
  return value;
}

/** The number of values that are tried for an item that must be new. */
const MOST_REPEATED = 20;

/** A value that is not among those before it. */
function newValue(parts: readonly Part[], making: Making, before: readonly Json[]): Json | undefined {
  const known = new Set(before.map(canonical));
  const start = making.nth + before.length;
  for (let nth = start; nth < start + MOST_REPEATED; nth += 1) {
    const made = firstOf(valuesOf(parts, { ...making, nth }));
    if (made !== undefined && !known.has(canonical(made))) return made;
  }
  return undefined;
}

/** The schemas of the item at an index; each item also fits the schemas that some items must fit. */
export const exampleItemParts = (plain: readonly PlainPart[], index: number): readonly Part[] => [
  ...itemParts(plain, index),
  ...containedParts(plain).map(({ part }) => part),
];
