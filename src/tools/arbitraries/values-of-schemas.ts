/** Makes arbitraries of the values that fit schemas, and checks values that may not fit although their parts do. */

import fc from 'fast-check';
import type { Check } from '@concordat/runtime';
import { canonical, copied, failuresOf, isObject, once } from '@concordat/runtime/parts';
import {
  choicesOf,
  containedParts,
  endsAtPrefix,
  heightOf,
  isTried,
  itemParts,
  namesIn,
  prefixLength,
  propertyParts,
  requiredNames,
} from '../values/inner-parts.js';
import {
  type Part,
  type PlainPart,
  type Schema,
  countsOf,
  impliedTypes,
  listedValues,
  members,
  referenceIn,
  schemaOf,
  typesOf,
} from '../values/parts.js';
import { matchesPattern } from '../values/texts.js';
import { type Lengths, fitting, numbersOf, sized, textsOf } from './scalars.js';

/** Deeper values have only what is required. */
const NESTED = { depthIdentifier: fc.createDepthIdentifier(), maxDepth: 4 } as const;

/** Alternatives go deeper, because values of the smallest one may fit others too. */
const ALTERNATIVES = { ...NESTED, maxDepth: 8, withCrossShrink: true } as const;

/** The greatest maximum length for which lists of exactly that length are made. */
const LONGEST = 20;

/**
 * The values that fit all of several schemas of checks. A schema may have an `arbitrary` of its own.
 *
 * @throws when there is none
 */
export function valuesOf(schemas: readonly Schema[]): fc.Arbitrary<unknown> {
  return ofParts(schemas.map((schema) => ({ schema, at: '' })));
}

function ofParts(parts: readonly Part[]): fc.Arbitrary<unknown> {
  const check = referenceIn(parts);
  if (check === undefined) return tried(parts);
  return once(check, ofCheck);
}

function ofCheck(check: Check): fc.Arbitrary<unknown> {
  // A schema may contain itself.
  return lazy(() => tried([{ schema: schemaOf(check), at: '' }]));
}

function lazy<T>(make: () => fc.Arbitrary<T>): fc.Arbitrary<T> {
  let made: fc.Arbitrary<T> | undefined;
  return fc.constant(undefined).chain(() => (made ??= make()));
}

/** Values that are checked afterwards if their making does not guarantee all keywords. */
function tried(parts: readonly Part[]): fc.Arbitrary<unknown> {
  if (heightOf(parts) === Infinity) throw new Error('no value fits the schema');
  const plain = members(parts);
  const values = ofPlain(plain);
  if (choicesOf(plain) === undefined && !plain.some(isTried)) return values;
  const what = (): string => `the schema ${JSON.stringify(parts.map(({ schema }) => schema))}`;
  return fitting(values, fitter(plain), what);
}

/** Tests values by the rules of the generated checks. Parts do not show which properties and items are unevaluated. */
function fitter(plain: readonly PlainPart[]): (value: unknown) => boolean {
  const open = { unevaluatedProperties: true, unevaluatedItems: true };
  const allOf = plain.map(({ schema }) => ({ ...schema, ...open }));
  const check: Check = Object.assign(() => true, { schema: () => ({ allOf }) });
  return (value) => failuresOf(check, copied(value)).length === 0;
}

function ofPlain(plain: readonly PlainPart[]): fc.Arbitrary<unknown> {
  const choices = choicesOf(plain);
  if (choices !== undefined) return oneOf(choices);
  const own = plain.find(({ schema }) => 'arbitrary' in schema);
  if (own !== undefined) return own.schema['arbitrary'] as fc.Arbitrary<unknown>;
  const listed = listedValues(plain)?.filter(fitter(plain));
  if (listed !== undefined) return fc.constantFrom(...(listed.length === 0 ? [null] : listed));
  const types = typesOf(plain) ?? impliedTypes(plain);
  const [type = 'null'] = types;
  if (types.length === 1) return ofType(type, plain);
  return oneOf(types.map((each) => [...plain, { schema: { type: each }, at: '' }]));
}

/** Values of all alternatives, of which that with the smallest values is the simplest. */
function oneOf(choices: readonly (readonly Part[])[]): fc.Arbitrary<unknown> {
  const arbitraries = choices
    .map((choice) => ({ choice, height: heightOf(choice), isOwn: referenceIn(choice) === undefined }))
    .filter(({ height }) => height < Infinity)
    .toSorted((a, b) => a.height - b.height)
    .map(({ choice, isOwn }) => (isOwn ? lazy(() => ofPlain(members(choice))) : ofParts(choice)));
  return fc.oneof(ALTERNATIVES, ...arbitraries);
}

function ofType(type: string, plain: readonly PlainPart[]): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objects(plain);
    case 'array':
      return arrays(plain);
    case 'string':
      return textsOf(plain);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return numbersOf(plain, type === 'integer');
  }
}

type Entry = readonly [name: string, value: unknown];

function objects(plain: readonly PlainPart[]): fc.Arbitrary<object> {
  const required = requiredNames(plain);
  const names = new Set([...required, ...namesIn(plain, 'properties')]);
  const own = [...names].flatMap((name) => {
    const parts = propertyParts(plain, name);
    const height = required.has(name) ? 0 : heightOf(parts);
    if (parts === undefined || height === Infinity) return [];
    return [{ name, height, entries: ofParts(parts).map((value): readonly Entry[] => [[name, value]]) }];
  });
  const others = otherProperties(plain, names, own.length);
  const having = (present: ReadonlySet<string>): fc.Arbitrary<object> => {
    const members = own.map(({ name, entries }) =>
      present.has(name) ? entries : fc.option(entries, { ...NESTED, nil: [], freq: 2 }),
    );
    return fc.tuple(...members, others).map((entries) => Object.fromEntries(entries.flat()));
  };
  const { least } = countsOf(plain, 'Properties');
  if (least <= required.size) return having(required);
  const smallest = own.toSorted((a, b) => a.height - b.height).map(({ name }) => name);
  return fc.oneof(NESTED, having(new Set([...required, ...smallest.slice(0, least)])), having(required));
}

/**
 * Properties that the schema does not name, if it describes them, or requires more than it names.
 *
 * @param count - the maximum number of properties that it names
 */
function otherProperties(
  plain: readonly PlainPart[],
  named: ReadonlySet<string>,
  count: number,
): fc.Arbitrary<readonly Entry[]> {
  const counts = countsOf(plain, 'Properties');
  const least = Math.max(0, counts.least - count);
  const most = Math.max(least, counts.most - requiredNames(plain).size);
  const patterns = namesIn(plain, 'patternProperties');
  const known = new Map<string, fc.Arbitrary<unknown> | undefined>();
  /** The values of a property, which depend on the patterns that its name matches. */
  const valuesFor = (name: string): fc.Arbitrary<unknown> | undefined => {
    const key = JSON.stringify(patterns.filter((pattern) => matchesPattern(pattern, name)));
    if (!known.has(key)) {
      const parts = propertyParts(plain, name);
      known.set(key, parts === undefined || heightOf(parts) === Infinity ? undefined : ofParts(parts));
    }
    return known.get(key);
  };
  const isMap = plain.some(({ schema }) => isObject(schema.additionalProperties));
  const isOpen = (isMap || (least > 0 && patterns.length === 0)) && valuesFor('') !== undefined;
  const nameParts = plain.flatMap((part) =>
    'propertyNames' in part.schema ? [{ ...part, schema: part.schema['propertyNames'] as Schema }] : [],
  );
  const anyName: Part = { schema: { type: 'string', minLength: 1, maxLength: 20 }, at: '' };
  const names = [
    ...patterns.map((pattern) => textsOf([{ schema: { pattern }, at: '' }])),
    ...(isOpen ? [ofParts([...nameParts, anyName]) as fc.Arbitrary<string>] : []),
  ];
  if (names.length === 0) return fc.constant([]);
  const isMeant = (name: string): boolean =>
    name !== '__proto__' && !named.has(name) && valuesFor(name) !== undefined;
  const entry = fitting(fc.oneof(...names), isMeant, () => 'the names of properties').chain((name) =>
    (valuesFor(name) ?? fc.constant(null)).map((value): Entry => [name, value]),
  );
  return different(entry, ([name]) => name, least, most);
}

/** Lists whose items differ. They are shorter than `least` where too few values differ, so that they must be checked. */
function different<T>(
  item: fc.Arbitrary<T>,
  key: (item: T) => string,
  least: number,
  most: number,
): fc.Arbitrary<readonly T[]> {
  // More than needed, because some of few values are drawn again and again.
  return lists(item, least, 2 * least + 10, 0).map((items) =>
    [...new Map(items.map((each) => [key(each), each])).values()].slice(0, most),
  );
}

/** Lists, of which those deep inside of a value are as short as possible. */
function lists<T>(item: fc.Arbitrary<T>, least: number, most: number, longest: number): fc.Arbitrary<T[]> {
  const { depthIdentifier } = NESTED;
  const list = (lengths: Lengths): fc.Arbitrary<T[]> => fc.array(item, { ...lengths, depthIdentifier });
  return fc.oneof(
    NESTED,
    { weight: 1, arbitrary: list({ minLength: least, maxLength: least }) },
    { weight: 5, arbitrary: sized(least, most, longest, list) },
  );
}

function arrays(plain: readonly PlainPart[]): fc.Arbitrary<readonly unknown[]> {
  const prefix = prefixLength(plain);
  const { least, most } = countsOf(plain, 'Items');
  const first = [...Array(Math.min(prefix, most)).keys()].map((index) => ofParts(itemParts(plain, index)));
  const items = itemParts(plain, prefix);
  const isClosed = endsAtPrefix(plain) || heightOf(items) === Infinity;
  const fewest = Math.max(0, least - prefix);
  const longest = isClosed ? 0 : Math.max(0, most - prefix);
  const item = longest === 0 ? fc.constant(null) : ofParts(items);
  const contained = containedParts(plain).flatMap(({ part, count }) =>
    Array.from({ length: count }, () => ofParts([...items, part])),
  );
  const isUnique = plain.some(({ schema }) => schema['uniqueItems'] === true);
  const plainOthers = lists(item, fewest, longest, LONGEST);
  const others = isUnique ? different(item, (value) => canonical(value), fewest, longest) : plainOthers;
  return fc
    .tuple(fc.tuple(...first, ...contained), others)
    .map((both) => both.flat().slice(0, Math.max(least, most)));
}
