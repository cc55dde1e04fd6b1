/** Makes values that schemas accept: plain ones, and always the same. */

import type { Json } from 'concordat';
import type { Schema, SchemaObject } from '../load/openapi.js';
import { type Part, type PlainPart, flattened, partIn } from './conjunction.js';
import { exampleText } from './example-text.js';
import { matchesPattern } from './pattern-text.js';

export interface ExampleOptions {
  /** Requests leave out `readOnly` properties, responses `writeOnly` ones. */
  readonly direction: 'request' | 'response';
  /** Whether objects have their optional properties too. */
  readonly full: boolean;
  /** Which values are the `example`, the `examples` or the `default` of their schemas, where these have any; unchecked. */
  readonly own?: 'all' | 'leaves';
  /** Whether a schema is used within itself where it may be left out; it is unless this is false. */
  readonly nests?: boolean;
}

type Around = readonly (readonly string[])[];

/** Deeper values have only what is required; a schema that requires itself without end has no value. */
const DEPTH_OF_OPTIONAL = 4;
const DEPTH = 16;

/**
 * A value that all schemas accept, as far as it can be found without trying: `not`, `if` and the second alternative of a
 * `oneOf` are not looked at, so that the caller checks the value.
 *
 * @param overrides - the values of some properties, where the value is an object
 * @param around - the places of the schemas of each value that this one is in
 * @returns undefined where the schemas contradict each other
 */
export function exampleValue(
  parts: readonly Part[],
  options: ExampleOptions,
  overrides: Readonly<Record<string, Json | undefined>> = {},
  around: Around = [],
): Json | undefined {
  const flat = flattened(parts);
  if (around.length > DEPTH || flat.some(({ schema }) => isNever(schema))) return undefined;
  const [type = 'string'] = typesOf(flat, overrides);
  const isLeaf = type !== 'object' && type !== 'array';
  const own = options.own === 'all' || (isLeaf && options.own === 'leaves') ? ownValue(flat) : undefined;
  if (own !== undefined) return own;
  const listed = listedValues(flat);
  if (listed !== undefined) return listed[0];
  switch (type) {
    case 'object':
      return exampleObject(flat, options, overrides, around);
    case 'array':
      return exampleArray(flat, options, around);
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'string':
      return exampleText(flat.map(({ schema }) => schema));
    default:
      return exampleNumber(
        flat.map(({ schema }) => schema),
        type === 'integer',
      );
  }
}

/** A value that one of the schemas gives itself: an example, else a default. */
function ownValue(flat: readonly PlainPart[]): Json | undefined {
  const given = flat.flatMap(({ schema: { example, examples } }) => [
    example,
    ...(Array.isArray(examples) ? (examples as readonly Json[]) : []),
  ]);
  const values = [...given, ...flat.map(({ schema }) => schema.default)];
  return values.find((value) => value !== undefined) as Json | undefined;
}

function isNever({ not }: SchemaObject): boolean {
  return typeof not === 'object' && not !== null && Object.keys(not).length === 0;
}

/** The types that every part allows, null last; those that other keywords imply where no part names any. */
function typesOf(
  flat: readonly PlainPart[],
  overrides: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const named = flat.flatMap(({ schema }) => {
    if (schema.type === undefined) return [];
    return [[...[schema.type].flat(), ...(schema.nullable === true ? ['null'] : [])]];
  });
  const [first, ...others] = named;
  if (first === undefined) return [impliedType(flat, overrides)];
  const common = first.flatMap((type) => {
    const fits = (types: readonly string[]): string | undefined => {
      if (types.includes(type)) return type;
      if (type === 'integer' && types.includes('number')) return 'integer';
      return type === 'number' && types.includes('integer') ? 'integer' : undefined;
    };
    const narrowed = others.map(fits);
    if (narrowed.includes(undefined)) return [];
    return [narrowed.includes('integer') ? 'integer' : type];
  });
  return common.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
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

/** The values of `const` and `enum` that every part allows. */
function listedValues(flat: readonly PlainPart[]): readonly Json[] | undefined {
  const lists = flat.flatMap(({ schema }) => {
    if (schema.const !== undefined) return [[schema.const]];
    return schema.enum === undefined ? [] : [schema.enum];
  });
  const [first, ...others] = lists.map((list) => list.map((value) => JSON.stringify(value)));
  if (first === undefined) return undefined;
  const common = first.filter((text) => others.every((list) => list.includes(text)));
  return common
    .map((text) => JSON.parse(text) as Json)
    .toSorted((a, b) => Number(a === null) - Number(b === null));
}

function exampleObject(
  flat: readonly PlainPart[],
  options: ExampleOptions,
  overrides: Readonly<Record<string, Json | undefined>>,
  around: Around,
): Json | undefined {
  const within = [...around, flat.map(({ at }) => at)];
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
    if (property === undefined || isHidden(property, options.direction)) continue;
    if (!required.has(name) && options.nests === false && isNested(property, within)) continue;
    const made = exampleValue(property, options, {}, within);
    if (made === undefined && required.has(name)) return undefined;
    if (made !== undefined) value[name] = made;
  }
  for (const [name, given] of Object.entries(overrides)) if (given !== undefined) value[name] = given;
  const least = Math.max(0, ...flat.map(({ schema }) => numberOf(schema['minProperties'])));
  for (let n = 1; Object.keys(value).length < least && n <= least; n += 1) {
    const made = exampleValue(propertyParts(flat, `key${String(n)}`) ?? [], options, {}, within);
    if (made !== undefined) value[`key${String(n)}`] = made;
  }
  return value;
}

/** The schemas of a property; undefined where a part allows no property of that name. */
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
  return schemas.some(({ schema }) => schema === false) ? undefined : schemas;
}

function isHidden(parts: readonly Part[], direction: ExampleOptions['direction']): boolean {
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  return flattened(parts).some(({ schema }) => schema[flag] === true);
}

/** Whether one of the schemas is in use already. */
function isNested(parts: readonly Part[], around: Around): boolean {
  return flattened(parts).some(({ at }) => around.some((places) => places.includes(at)));
}

function exampleArray(flat: readonly PlainPart[], options: ExampleOptions, around: Around): Json | undefined {
  const within = [...around, flat.map(({ at }) => at)];
  const least = Math.max(0, ...flat.map(({ schema }) => numberOf(schema['minItems'])));
  const isFilled =
    options.full &&
    around.length < DEPTH_OF_OPTIONAL &&
    !(options.nests === false && isNested(itemParts(flat, 0), within));
  const length = Math.max(least, isFilled ? 1 : 0);
  const isUnique = flat.some(({ schema }) => schema['uniqueItems'] === true);
  const value: Json[] = [];
  for (let index = 0; index < length; index += 1) {
    const made = exampleValue(itemParts(flat, index), options, {}, within);
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

/** Another value of the same kind for each index. */
function varied(value: Json, index: number): Json {
  if (typeof value === 'number') return value + index;
  if (typeof value === 'string' && index > 0)
    return `${value.slice(0, -1)}${String.fromCharCode(97 + (index % 26))}`;
  return value;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** The range of numbers that schemas allow, both ends included. */
interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** A number in the range of all schemas, near 1; undefined where the range has none. */
function exampleNumber(schemas: readonly SchemaObject[], isInteger: boolean): number | undefined {
  const { least, most } = numberRange(schemas, isInteger);
  const steps = schemas.flatMap(({ multipleOf }) => (typeof multipleOf === 'number' ? [multipleOf] : []));
  const step = Math.max(isInteger ? 1 : 0, ...steps);
  const near = Math.min(Math.max(1, least), most);
  const value = step === 0 ? near : multipleNear(near, step, least);
  return value >= least && value <= most ? value : undefined;
}

/** The smallest multiple from the number on, else the largest below it. */
function multipleNear(near: number, step: number, least: number): number {
  const above = Math.ceil(near / step) * step;
  const below = Math.floor(near / step) * step;
  return below >= least && below === near ? below : above;
}

/** The bounds of 2020-12; in 3.0 the exclusive ones are flags of the others. */
function numberRange(schemas: readonly SchemaObject[], isInteger: boolean): NumberRange {
  const step = isInteger ? 1 : 0.5;
  const least = schemas.flatMap((schema) => bounds(schema, 'minimum', 'exclusiveMinimum', step));
  const most = schemas.flatMap((schema) => bounds(schema, 'maximum', 'exclusiveMaximum', -step));
  return { least: Math.max(-Infinity, ...least), most: Math.min(Infinity, ...most) };
}

function bounds(
  schema: SchemaObject,
  included: 'minimum' | 'maximum',
  excluded: 'exclusiveMinimum' | 'exclusiveMaximum',
  step: number,
): readonly number[] {
  const bound = schema[included];
  const exclusive = schema[excluded];
  return [
    ...(bound === undefined ? [] : [exclusive === true ? bound + step : bound]),
    ...(typeof exclusive === 'number' ? [exclusive + step] : []),
  ];
}
