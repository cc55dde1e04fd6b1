/** Draws random values that fit schemas, and checks those that may not fit although their parts do. */

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
} from './inner-parts.js';
import { type Draw, lengthBetween, uniform } from './choices.js';
import { randomNumber } from './numbers.js';
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
} from './parts.js';
import { matchesPattern, randomText } from './texts.js';

/** The greatest maximum length for which lists of exactly that length are made. */
const LONGEST = 20;

/**
 * The values that fit all of several schemas of checks. The simplest are the smallest. A schema may have a `draw` of its own.
 *
 * @throws when there is none
 */
export function valuesOf(schemas: readonly Schema[]): Draw<unknown> {
  return drawOf(schemas.map((schema) => ({ schema, at: '' })));
}

function drawOf(parts: readonly Part[]): Draw<unknown> {
  const check = referenceIn(parts);
  if (check === undefined) return tried(parts);
  return once(check, drawOfCheck);
}

function drawOfCheck(check: Check): Draw<unknown> {
  // A schema may contain itself.
  return lazy(() => tried([{ schema: schemaOf(check), at: '' }]));
}

function lazy<T>(make: () => Draw<T>): Draw<T> {
  let made: Draw<T> | undefined;
  return (source) => (made ??= make())(source);
}

/** Values that are checked afterwards if their making does not guarantee all keywords. */
function tried(parts: readonly Part[]): Draw<unknown> {
  if (heightOf(parts) === Infinity) throw new Error('no value fits the schema');
  const plain = members(parts);
  const draw = ofPlain(plain);
  if (choicesOf(plain) === undefined && !plain.some(isTried)) return draw;
  const fits = fitter(plain);
  const what = (): string => `the schema ${JSON.stringify(parts.map(({ schema }) => schema))}`;
  return (source) => source.fitting(draw, fits, what);
}

/** Tests values by the rules of the generated checks. Parts do not show which properties and items are unevaluated. */
function fitter(plain: readonly PlainPart[]): (value: unknown) => boolean {
  const allOf = plain.map(({ schema }) => ({
    ...schema,
    unevaluatedProperties: true,
    unevaluatedItems: true,
  }));
  const check: Check = Object.assign(() => true, { schema: () => ({ allOf }) });
  return (value) => failuresOf(check, copied(value)).length === 0;
}

function ofPlain(plain: readonly PlainPart[]): Draw<unknown> {
  const choices = choicesOf(plain);
  if (choices !== undefined) return oneOf(choices);
  const own = plain.find(({ schema }) => 'draw' in schema);
  if (own !== undefined) return own.schema['draw'] as Draw<unknown>;
  const listed = listedValues(plain)?.filter(fitter(plain));
  if (listed !== undefined) {
    const [first = null, ...others] = listed;
    return (source) => source.oneOf([first, ...others]);
  }
  const types = typesOf(plain) ?? impliedTypes(plain);
  const [type = 'null'] = types;
  return types.length === 1
    ? ofType(type, plain)
    : oneOf(types.map((each) => [...plain, { schema: { type: each }, at: '' }]));
}

/** Values of all alternatives, of which that with the smallest values is the simplest. */
function oneOf(choices: readonly (readonly Part[])[]): Draw<unknown> {
  const draws = choices
    .map((choice) => ({ choice, height: heightOf(choice) }))
    .filter(({ height }) => height < Infinity)
    .toSorted((a, b) => a.height - b.height)
    .map(({ choice }) =>
      referenceIn(choice) === undefined ? lazy(() => ofPlain(members(choice))) : drawOf(choice),
    );
  return (source) => {
    const index = source.upTo(draws.length - 1, (random, most) =>
      source.isDeep ? 0 : uniform(random, most),
    );
    return draws[index]?.(source);
  };
}

function ofType(type: string, plain: readonly PlainPart[]): Draw<unknown> {
  switch (type) {
    case 'object':
      return objects(plain);
    case 'array':
      return arrays(plain);
    case 'string':
      return randomText(plain);
    case 'boolean':
      return (source) => source.upTo(1) === 1;
    case 'null':
      return () => null;
    default:
      return randomNumber(plain, type === 'integer');
  }
}

type Entry = readonly [name: string, value: unknown];

function objects(plain: readonly PlainPart[]): Draw<object> {
  const required = requiredNames(plain);
  const names = new Set([...required, ...namesIn(plain, 'properties')]);
  const own = [...names].flatMap((name) => {
    const parts = propertyParts(plain, name);
    const isPossible = required.has(name) || heightOf(parts) < Infinity;
    return parts === undefined || !isPossible ? [] : [{ name, draw: drawOf(parts) }];
  });
  const others = otherProperties(plain, names, own.length);
  return (source) => {
    const entries = own.map(({ name, draw }): readonly Entry[] =>
      source.group((inner) => {
        const isPresent = (random: () => number): number => Number(!source.isDeep && random() < 0.5);
        return required.has(name) || inner.upTo(1, isPresent) === 1 ? [[name, draw(inner)]] : [];
      }, 1),
    );
    return Object.fromEntries([...entries.flat(), ...source.group(others)]);
  };
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
): Draw<readonly Entry[]> {
  const counts = countsOf(plain, 'Properties');
  const least = Math.max(0, counts.least - count);
  const most = Math.max(least, counts.most - requiredNames(plain).size);
  const patterns = namesIn(plain, 'patternProperties');
  const draws = new Map<string, Draw<unknown> | undefined>();
  /** The values of a property, which depend on the patterns that its name matches. */
  const drawFor = (name: string): Draw<unknown> | undefined => {
    const key = JSON.stringify(patterns.filter((pattern) => matchesPattern(pattern, name)));
    if (!draws.has(key)) {
      const parts = propertyParts(plain, name);
      draws.set(key, parts === undefined || heightOf(parts) === Infinity ? undefined : drawOf(parts));
    }
    return draws.get(key);
  };
  const isMap = plain.some(({ schema }) => isObject(schema.additionalProperties));
  const isOpen = (isMap || (least > 0 && patterns.length === 0)) && drawFor('') !== undefined;
  const nameParts = plain.flatMap((part) =>
    'propertyNames' in part.schema ? [{ ...part, schema: part.schema['propertyNames'] as Schema }] : [],
  );
  const anyName: Part = { schema: { type: 'string', minLength: 1, maxLength: 20 }, at: '' };
  const [first, ...further] = [
    ...patterns.map((pattern) => randomText([{ schema: { pattern }, at: '' }])),
    ...(isOpen ? [drawOf([...nameParts, anyName]) as Draw<string>] : []),
  ];
  if (first === undefined) return () => [];
  const isMeant = (name: string): boolean =>
    name !== '__proto__' && !named.has(name) && drawFor(name) !== undefined;
  const entry: Draw<Entry> = (source) => {
    const name = source.fitting(source.oneOf([first, ...further]), isMeant, () => 'the names of properties');
    return [name, drawFor(name)?.(source)];
  };
  const isNew = ([name]: Entry, before: readonly Entry[]): boolean =>
    before.every(([other]) => other !== name);
  return (source) => source.list(entry, least, most, lengthBetween(source, least, most, 0), isNew);
}

function arrays(plain: readonly PlainPart[]): Draw<readonly unknown[]> {
  const prefix = prefixLength(plain);
  const { least, most } = countsOf(plain, 'Items');
  const first = [...Array(Math.min(prefix, most)).keys()].map((index) => drawOf(itemParts(plain, index)));
  const items = itemParts(plain, prefix);
  const isClosed = endsAtPrefix(plain) || heightOf(items) === Infinity;
  const fewest = Math.max(0, least - prefix);
  const longest = isClosed ? 0 : Math.max(0, most - prefix);
  const item = longest === 0 ? () => null : drawOf(items);
  const contained = containedParts(plain).flatMap(({ part, count }) =>
    Array.from({ length: count }, () => drawOf([...items, part])),
  );
  const isUnique = plain.some(({ schema }) => schema['uniqueItems'] === true);
  return (source) => {
    const before = [...first, ...contained].map((draw) => source.group(draw, 1));
    const length = lengthBetween(source, fewest, longest, isUnique ? 0 : LONGEST);
    const isNew = (value: unknown, others: readonly unknown[]): boolean =>
      !isUnique || [...before, ...others].every((each) => canonical(each) !== canonical(value));
    const others = source.list(item, fewest, longest, length, isNew);
    return [...before, ...others].slice(0, Math.max(least, most));
  };
}
