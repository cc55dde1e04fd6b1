/** Makes the values around the edges of schemas: the last that each keyword allows, and the first that it refuses. */

import type { Json } from 'concordat';
import type { SchemaObject } from '../load/openapi.js';
import {
  ALTERNATIONS,
  type Part,
  type PlainPart,
  alternative,
  flattened,
  isNull,
  members,
} from './conjunction.js';
import { formatOf } from '../formats/format-table.js';
import { textOfLength } from './example-text.js';
import { type ExampleOptions, exampleValue, itemParts, propertyParts } from './example-value.js';
import { textOfPattern } from './pattern-text.js';

/** A value that tests one thing. The checks of the schemas decide whether they accept it. */
export interface Variant {
  /** `body.name: one more than maxLength`. */
  readonly about: string;
  readonly value: Json;
  /** The path of the tested part in the value. */
  readonly path: readonly (string | number)[];
}

/** The members of deeper values are not varied. */
const DEPTH = 4;

/** Longer texts and lists are not made, because they would cost more than they reveal. */
const LONGEST = 20_000;

type Direction = ExampleOptions['direction'];

/** The values for schemas that must all hold. @param name - the name of the value in `about` */
export function* variantsOf(
  parts: readonly Part[],
  name: string,
  direction: Direction = 'request',
  depth = 0,
): Generator<Variant> {
  for (const choice of choicesOf(parts)) {
    const flat = flattened(choice);
    for (const full of [true, false]) {
      const value = exampleValue(choice, { direction, full });
      if (value !== undefined) yield { about: `${name}: a plain value`, value, path: [] };
    }
    const base = exampleValue(choice, { direction, full: true });
    if (base === undefined) continue;
    for (const [about, value] of edgesOf(flat, base)) {
      yield { about: `${name}: ${about}`, value, path: [] };
    }
    if (depth < DEPTH) yield* memberVariants(flat, base, name, direction, depth);
  }
}

/** The parts with each alternative of the first `oneOf` or `anyOf` in turn. */
function choicesOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const plain = members(parts);
  for (const part of plain) {
    for (const keyword of ALTERNATIONS) {
      const count = part.schema[keyword]?.filter((schema) => !isNull(schema)).length ?? 0;
      if (count < 2) continue;
      const { [keyword]: alternatives = [], ...own } = part.schema;
      const rest = [...plain.filter((each) => each !== part), { ...part, schema: own }];
      return alternatives.map((_, index) => [...rest, ...alternative(part, keyword, index)]);
    }
  }
  return [parts];
}

function* memberVariants(
  flat: readonly PlainPart[],
  base: Json,
  name: string,
  direction: Direction,
  depth: number,
): Generator<Variant> {
  if (Array.isArray(base)) {
    const [first, ...others] = base as readonly Json[];
    if (first === undefined) return;
    for (const inner of variantsOf(itemParts(flat, 0), `${name}[0]`, direction, depth + 1)) {
      yield { ...inner, value: [inner.value, ...others], path: [0, ...inner.path] };
    }
  } else if (typeof base === 'object' && base !== null) {
    const object = base as JsonObject;
    for (const key of Object.keys(object)) {
      for (const inner of variantsOf(
        propertyParts(flat, key) ?? [],
        `${name}.${key}`,
        direction,
        depth + 1,
      )) {
        yield { ...inner, value: { ...object, [key]: inner.value }, path: [key, ...inner.path] };
      }
    }
  }
}

type Edge = readonly [about: string, value: Json];

const OTHER_TYPES: readonly Edge[] = [
  ['null', null],
  ['a boolean', true],
  ['a number', 7],
  ['a fraction', 1.5],
  ['a text', 'text'],
  ['a list', []],
  ['an object', {}],
];

function* edgesOf(flat: readonly PlainPart[], base: Json): Generator<Edge> {
  for (const { schema } of flat) {
    for (const value of schema.enum ?? []) yield [`the value ${JSON.stringify(value)} of enum`, value];
    if (schema.enum !== undefined) yield ['no value of enum', 'not-in-the-enum'];
    if (typeof base === 'number') yield* numberEdges(schema);
    if (typeof base === 'string') yield* textEdges(schema, base);
    if (Array.isArray(base)) yield* listEdges(schema, base as readonly Json[]);
    else if (typeof base === 'object' && base !== null) yield* objectEdges(schema, base as JsonObject);
  }
  if (typeof base === 'string' && flat.every(({ schema }) => schema.enum === undefined))
    yield* awkwardTexts(base);
  yield* OTHER_TYPES;
}

function* numberEdges({ format, ...schema }: SchemaObject): Generator<Edge> {
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const) {
    const bound = schema[keyword];
    if (typeof bound !== 'number') continue;
    const outwards = /min/i.test(keyword) ? -1 : 1;
    yield [keyword, bound];
    yield [`one beyond ${keyword}`, bound + outwards];
    yield [`one within ${keyword}`, bound - outwards];
  }
  const { multipleOf } = schema;
  if (typeof multipleOf === 'number') yield ['half of multipleOf', multipleOf / 2];
  yield ['zero', 0];
  yield ['a negative number', -1];
  yield* formatEdges(format, 'number');
}

function* textEdges(schema: SchemaObject, base: string): Generator<Edge> {
  const { minLength, maxLength, pattern, format } = schema;
  for (const [keyword, length, outwards] of [
    ['minLength', minLength, -1],
    ['maxLength', maxLength, 1],
  ] as const) {
    if (typeof length !== 'number' || length > LONGEST) continue;
    const sized = (size: number): string => textOfLength(size, size, base);
    yield [keyword, sized(length)];
    if (length + outwards >= 0) yield [`one beyond ${keyword}`, sized(length + outwards)];
    // A character outside the Basic Multilingual Plane counts as one, although some languages count it as two.
    if (length > 0) yield [`${keyword} of characters outside the BMP`, '😀'.repeat(length)];
  }
  if (typeof pattern === 'string') {
    for (const choice of [1, 2]) {
      const text = textOfPattern(pattern, 2, choice);
      if (text !== undefined) yield ['another text of pattern', text];
    }
    yield ['pattern and a line break', `${base}\n`];
    yield ['pattern and a prefix', `!${base}`];
    yield ['no text of pattern', '!'];
  }
  if (typeof format === 'string') {
    yield [`no ${format}`, `no ${format}`];
    yield* formatEdges(format, 'string');
  }
}

/** The numbers at the ends of a format, and just outside of it; for texts, one that narrowly misses the format. */
function* formatEdges(name: unknown, type: 'number' | 'string'): Generator<Edge> {
  const { samples = [], outside = [] } = formatOf(name) ?? {};
  const ofType = (values: readonly Json[]): readonly Json[] =>
    values.filter((value) => typeof value === type);
  if (type === 'number') for (const value of ofType(samples)) yield [`an end of ${String(name)}`, value];
  for (const value of ofType(outside).slice(0, type === 'number' ? undefined : 1))
    yield [`nearly ${String(name)}`, value];
}

function* awkwardTexts(base: string): Generator<Edge> {
  yield ['an empty text', ''];
  yield ['a text of a space', ' '];
  yield ['a text with other scripts', `${base} Ünïcødé 漢字 😀`];
  yield ['a text with quotes', `${base}'"\\<%$`];
  yield ['a text with a NUL', `${base}\u0000`];
  yield ['a long text', textOfLength(3000, 3000, base)];
}

function* listEdges(schema: SchemaObject, base: readonly Json[]): Generator<Edge> {
  const [first] = base;
  const { minItems, maxItems, uniqueItems } = schema as { readonly [keyword: string]: unknown };
  if (typeof minItems === 'number' && minItems > 0)
    yield ['fewer than minItems', base.slice(0, minItems - 1)];
  if (first === undefined) return;
  if (typeof maxItems === 'number' && maxItems < LONGEST) {
    const sized = (size: number): Json => Array.from({ length: size }, (_, index) => numbered(first, index));
    yield ['maxItems', sized(maxItems)];
    yield ['one beyond maxItems', sized(maxItems + 1)];
  }
  if (uniqueItems === true) yield ['an item twice', [first, first]];
  yield ['two items', [first, numbered(first, 1)]];
}

function numbered(value: Json, index: number): Json {
  if (index === 0) return value;
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' ? `${value}${String(index)}` : value;
}

type JsonObject = Readonly<Record<string, Json>>;

function* objectEdges(schema: SchemaObject, base: JsonObject): Generator<Edge> {
  const required = new Set(schema.required ?? []);
  for (const name of new Set([...required, ...Object.keys(schema.properties ?? {})])) {
    if (!(name in base)) continue;
    const others = Object.fromEntries(Object.entries(base).filter(([other]) => other !== name));
    yield [`without ${required.has(name) ? 'the required' : 'the optional'} ${name}`, others];
  }
  yield ['with a property of another name', { ...base, unexpectedProperty: 'text' }];
}
