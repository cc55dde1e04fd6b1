/** Makes plain values that schemas accept, the same on every run. */

import type { Json } from 'concordat';
import type { Schema, SchemaObject } from '../load/openapi.js';
import {
  type Part,
  type PlainPart,
  choicesOf,
  flattened,
  listedValues,
  partIn,
  typesOf,
  isNever,
} from './conjunction.js';
import { exampleText, fitsLength, fitsPattern } from './example-text.js';
import { matchesPattern } from './pattern-text.js';

export interface ExampleOptions {
  /** Requests leave out `readOnly` properties; responses leave out `writeOnly` properties. */
  readonly direction: 'request' | 'response';
  /** Whether objects also have their optional properties. */
  readonly full: boolean;
  /** The values that are taken, unchecked, from the `example`, `examples` or `default` of their schemas, if these have any. */
  readonly own?: 'all' | 'leaves';
  /** Whether optional values of a schema are made inside a value of the same schema; true unless given. */
  readonly nests?: boolean;
}

type Around = readonly (readonly string[])[];

/** Deeper values have only required parts. A schema that requires itself without end has no value. */
const DEPTH_OF_OPTIONAL = 4;
const DEPTH = 16;

/** The context in which a value is made. */
interface Making {
  readonly options: ExampleOptions;
  /** The places of the schemas of each enclosing value. */
  readonly around: Around;
  /** The number of values that may still be tried, because alternatives multiply with each level. */
  readonly budget: { left: number };
}

const MOST_TRIED = 5000;

/**
 * A value that all schemas probably accept. The caller must check it, because `not` and `if` are ignored, and a second alternative of a
 * `oneOf` may accept the value too.
 *
 * @param overrides - the values of some properties, if the value is an object
 * @returns undefined if the schemas contradict each other
 */
export function exampleValue(
  parts: readonly Part[],
  options: ExampleOptions,
  overrides: Readonly<Record<string, Json | undefined>> = {},
): Json | undefined {
  for (const value of exampleValues(parts, options, overrides)) return value;
  return undefined;
}

/** Makes a value for each choice among the alternatives of the schemas. */
export function exampleValues(
  parts: readonly Part[],
  options: ExampleOptions,
  overrides: Readonly<Record<string, Json | undefined>> = {},
): Generator<Json> {
  return valuesOf(parts, { options, around: [], budget: { left: MOST_TRIED } }, overrides);
}

function* valuesOf(
  parts: readonly Part[],
  making: Making,
  overrides: Readonly<Record<string, Json | undefined>> = {},
): Generator<Json> {
  if (making.around.length > DEPTH) return;
  for (const flat of choicesOf(parts)) {
    making.budget.left -= 1;
    if (making.budget.left < 0) return;
    const value = plainValue(flat, making, overrides);
    if (value !== undefined) yield value;
  }
}

/** The first value for the schemas of a member of another value. */
function valueOf(parts: readonly Part[], making: Making): Json | undefined {
  for (const value of valuesOf(parts, making)) return value;
  return undefined;
}

/** A value for schemas without alternatives. */
function plainValue(
  flat: readonly PlainPart[],
  making: Making,
  overrides: Readonly<Record<string, Json | undefined>>,
): Json | undefined {
  const { options } = making;
  const [type = impliedType(flat, overrides)] = typesOf(flat) ?? [];
  const isLeaf = type !== 'object' && type !== 'array';
  const own = options.own === 'all' || (isLeaf && options.own === 'leaves') ? ownValue(flat) : undefined;
  if (own !== undefined) return own;
  const schemas = flat.map(({ schema }) => schema);
  const listed = listedValues(flat);
  if (listed !== undefined) return listed.find((value) => fitsBounds(schemas, value));
  switch (type) {
    case 'object':
      return exampleObject(flat, making, overrides);
    case 'array':
      return exampleArray(flat, making);
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'string':
      return exampleText(schemas);
    default:
      return exampleNumber(schemas, type === 'integer');
  }
}

/** Whether a listed value fits the bounds that the schemas have for values of its type. */
function fitsBounds(schemas: readonly SchemaObject[], value: Json): boolean {
  if (typeof value === 'string')
    return schemas.every((schema) => fitsLength(schema, value) && fitsPattern(schema, value));
  return typeof value !== 'number' || schemas.every((schema) => isWithin(schema, value));
}

/** A value that one of the schemas contains: an example, else a default. */
function ownValue(flat: readonly PlainPart[]): Json | undefined {
  const given = flat.flatMap(({ schema: { example, examples } }) => [
    example,
    ...(Array.isArray(examples) ? (examples as readonly Json[]) : []),
  ]);
  const values = [...given, ...flat.map(({ schema }) => schema.default)];
  return values.find((value) => value !== undefined) as Json | undefined;
}

function impliedType(flat: readonly PlainPart[], overrides: Readonly<Record<string, unknown>>): string {
  const has = (...keywords: readonly string[]): boolean =>
    flat.some(({ schema }) => keywords.some((keyword) => keyword in schema));
  if (Object.keys(overrides).length > 0 || has('properties', 'required', 'additionalProperties'))
    return 'object';
  if (has('items', 'prefixItems', 'minItems')) return 'array';
  if (has('minimum', 'maximum', 'multipleOf')) return 'number';
  return 'string';
}

function exampleObject(
  flat: readonly PlainPart[],
  making: Making,
  overrides: Readonly<Record<string, Json | undefined>>,
): Json | undefined {
  const { options, around } = making;
  const within = [...around, flat.map(({ at }) => at)];
  const inside = { ...making, around: within };
  const required = new Set(flat.flatMap(({ schema }) => schema.required ?? []));
  const names = new Set([
    ...required,
    ...(options.full && around.length < DEPTH_OF_OPTIONAL
      ? flat.flatMap(({ schema }) => Object.keys(schema.properties ?? {}))
      : []),
  ]);
  const value: Record<string, Json> = {};
  for (const name of names) {
    if (Object.hasOwn(overrides, name)) continue;
    const property = propertyParts(flat, name);
    if (property === undefined && required.has(name)) return undefined;
    if (property === undefined || isHidden(property, options.direction)) continue;
    if (!required.has(name) && options.nests === false && isNested(property, within)) continue;
    const made = valueOf(property, inside);
    if (made === undefined && required.has(name)) return undefined;
    if (made !== undefined) value[name] = made;
  }
  for (const [name, given] of Object.entries(overrides)) if (given !== undefined) value[name] = given;
  const least = Math.max(0, ...flat.map(({ schema }) => numberOf(schema['minProperties'])));
  for (let n = 1; Object.keys(value).length < least && n <= least; n += 1) {
    const made = valueOf(propertyParts(flat, `key${String(n)}`) ?? [], inside);
    if (made !== undefined) value[`key${String(n)}`] = made;
  }
  return value;
}

/** The schemas of a property; undefined if a part allows no property of that name. */
export function propertyParts(flat: readonly PlainPart[], name: string): readonly Part[] | undefined {
  const schemas = flat.flatMap((part): readonly Part[] => {
    const { schema } = part;
    const own = schema.properties?.[name];
    const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Schema>)
      .filter(([pattern]) => matchesPattern(pattern, name))
      .map(([pattern, inner]) => partIn(part, inner, 'patternProperties', pattern));
    const found = [...(own === undefined ? [] : [partIn(part, own, 'properties', name)]), ...patterns];
    const rest = found.length === 0 ? schema.additionalProperties : undefined;
    return [...found, ...(rest === undefined ? [] : [partIn(part, rest, 'additionalProperties')])];
  });
  return schemas.some(({ schema }) => isNever(schema)) ? undefined : schemas;
}

function isHidden(parts: readonly Part[], direction: ExampleOptions['direction']): boolean {
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  return flattened(parts).some(({ schema }) => schema[flag] === true);
}

/** Whether an enclosing value has one of the schemas. */
function isNested(parts: readonly Part[], around: Around): boolean {
  return flattened(parts).some(({ at }) => around.some((places) => places.includes(at)));
}

function exampleArray(flat: readonly PlainPart[], making: Making): Json | undefined {
  const { options, around } = making;
  const within = [...around, flat.map(({ at }) => at)];
  const inside = { ...making, around: within };
  const least = Math.max(0, ...flat.map(({ schema }) => numberOf(schema['minItems'])));
  const isFilled =
    options.full &&
    around.length < DEPTH_OF_OPTIONAL &&
    !(options.nests === false && isNested(itemParts(flat, 0), within));
  const length = Math.max(least, isFilled ? 1 : 0);
  const isUnique = flat.some(({ schema }) => schema['uniqueItems'] === true);
  const value: Json[] = [];
  for (let index = 0; index < length; index += 1) {
    const made = valueOf(itemParts(flat, index), inside);
    if (made === undefined) return value.length >= least ? value : undefined;
    value.push(isUnique ? varied(made, index) : made);
  }
  return value;
}

/** The schemas of the item at an index. */
export function itemParts(flat: readonly PlainPart[], index: number): readonly Part[] {
  return flat.flatMap((part): readonly Part[] => {
    const { prefixItems = [], items, contains } = part.schema;
    const prefix = prefixItems[index];
    const rest = items === undefined ? [] : [partIn(part, items, 'items')];
    return [
      ...(prefix === undefined ? rest : [partIn(part, prefix, 'prefixItems', index)]),
      ...(contains === undefined ? [] : [partIn(part, contains as Schema, 'contains')]),
    ];
  });
}

/** A different value of the same kind for each index. */
function varied(value: Json, index: number): Json {
  if (typeof value === 'number') return value + index;
  if (typeof value === 'string' && index > 0)
    return `${value.slice(0, -1)}${String.fromCharCode(97 + (index % 26))}`;
  return value;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** A number that all schemas allow, near 1; undefined if none is found. */
function exampleNumber(schemas: readonly SchemaObject[], isInteger: boolean): number | undefined {
  const [least, most] = [
    Math.max(-Infinity, ...ends(schemas, 'inimum')),
    Math.min(Infinity, ...ends(schemas, 'aximum')),
  ];
  const steps = schemas.flatMap(({ multipleOf }) => (typeof multipleOf === 'number' ? [multipleOf] : []));
  const step = Math.max(isInteger ? 1 : 0, ...steps);
  const near = Math.min(Math.max(1, least), most);
  const candidates =
    step === 0
      ? [near, near + 0.5, near - 0.5, (least + most) / 2]
      : [
          Math.round(near / step) * step,
          Math.ceil(near / step) * step,
          (Math.floor(near / step) + 1) * step,
          (Math.ceil(near / step) - 1) * step,
        ];
  return candidates.find(
    (value) => schemas.every((schema) => isWithin(schema, value)) && (!isInteger || Number.isInteger(value)),
  );
}

/** The lower or the upper bounds, both inclusive and exclusive. */
function ends(schemas: readonly SchemaObject[], name: 'inimum' | 'aximum'): readonly number[] {
  const keyword = name === 'inimum' ? 'minimum' : 'maximum';
  const exclusive = name === 'inimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  return schemas.flatMap((schema) =>
    [schema[keyword], schema[exclusive]].filter((bound) => typeof bound === 'number'),
  );
}

/** Whether a number is within the bounds of 2020-12, or of 3.0, in which exclusive bounds are flags. */
function isWithin(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaObject,
  value: number,
): boolean {
  if (typeof minimum === 'number' && (exclusiveMinimum === true ? value <= minimum : value < minimum))
    return false;
  if (typeof maximum === 'number' && (exclusiveMaximum === true ? value >= maximum : value > maximum))
    return false;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false;
  return typeof exclusiveMaximum !== 'number' || value < exclusiveMaximum;
}
