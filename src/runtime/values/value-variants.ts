/** Makes the values around the edges of schemas: the last that each keyword allows, and the first that it refuses. */

import type { Json } from '../contract/contract.js';
import type { CheckedKeyword } from '../contract/keywords.js';
import { ALTERNATIONS, type Alternation, alternative, flattened } from './alternatives.js';
import { type ExampleOptions, exampleItemParts, exampleValue } from './example-value.js';
import { formatValues } from './format-values.js';
import { propertyParts } from './inner-parts.js';
import { type Part, type PlainPart, type SchemaObject, isNull, members } from './parts.js';
import { textOfPattern } from './pattern-text.js';
import { textOfLength } from './texts.js';

/** A value that tests one thing. The checks of the schemas decide whether they accept it. */
export interface Variant {
  /** `body.name: one beyond maxLength`. */
  readonly about: string;
  readonly value: Json;
  /** The path of the tested part in the value. */
  readonly path: readonly (string | number)[];
  /** The keyword that the value tests, if it tests one. */
  readonly keyword?: CheckedKeyword;
}

/** The members of deeper values are not varied. */
const DEPTH = 4;

/** Longer texts and lists are not made, because they would cost more than they reveal. */
const LONGEST = 20_000;

/** The values for schemas that must all hold. @param name - the name of the value in `about` */
export function* variantsOf(
  parts: readonly Part[],
  name: string,
  direction: ExampleOptions['direction'] = 'request',
  depth = 0,
): Generator<Variant> {
  for (const choice of alternativesOf(parts)) {
    const flat = flattened(choice);
    const [base, plain] = [true, false].map((full) => exampleValue(choice, { direction, full }));
    for (const value of [base, plain])
      if (value !== undefined) yield { about: `${name}: a plain value`, value, path: [] };
    if (base === undefined) continue;
    for (const [about, value, keyword] of edgesOf(flat, base))
      yield { about: `${name}: ${about}`, value, path: [], ...(keyword !== undefined && { keyword }) };
    if (depth >= DEPTH) continue;
    for (const [key, inner, withInner] of membersOf(flat, base)) {
      const place = typeof key === 'number' ? `${name}[${String(key)}]` : `${name}.${key}`;
      for (const variant of variantsOf(inner, place, direction, depth + 1))
        yield { ...variant, value: withInner(variant.value), path: [key, ...variant.path] };
    }
  }
}

/** The parts with each alternative of the first `oneOf` or `anyOf` of several in turn. */
function alternativesOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const plain = members(parts);
  for (const part of plain) {
    const isSeveral = (keyword: Alternation): boolean =>
      (part.schema[keyword] ?? []).filter((schema) => !isNull(schema)).length > 1;
    const keyword = ALTERNATIONS.find(isSeveral);
    if (keyword === undefined) continue;
    const { [keyword]: all = [], ...own } = part.schema;
    const rest = [...plain.filter((each) => each !== part), { ...part, schema: own }];
    return all.map((_, index) => [...rest, ...alternative(part, keyword, index)]);
  }
  return [parts];
}

type Member = readonly [key: string | number, parts: readonly Part[], withInner: (value: Json) => Json];

function membersOf(flat: readonly PlainPart[], base: Json): readonly Member[] {
  if (Array.isArray(base)) {
    const [first, ...others] = base as readonly Json[];
    return first === undefined ? [] : [[0, exampleItemParts(flat, 0), (value) => [value, ...others]]];
  }
  if (typeof base !== 'object' || base === null) return [];
  const object = base as JsonObject;
  return Object.keys(object).map((key) => [
    key,
    propertyParts(flat, key) ?? [],
    (value) => ({ ...object, [key]: value }),
  ]);
}

type JsonObject = Readonly<Record<string, Json>>;

type Edge = readonly [about: string, value: Json, keyword?: CheckedKeyword];

function* edgesOf(flat: readonly PlainPart[], base: Json): Generator<Edge> {
  for (const { schema } of flat) {
    for (const [keyword, edges] of Object.entries(EDGES))
      if (schema[keyword] !== undefined && edges !== undefined)
        for (const [about, value] of edges(schema, base)) yield [about, value, keyword as CheckedKeyword];
  }
  yield* ofType(base, flat);
  yield* OTHER_TYPES;
}

const OTHER_TYPES: readonly Edge[] = [
  ['null', null, 'type'],
  ['a boolean', true, 'type'],
  ['a number', 7, 'type'],
  ['a fraction', 1.5, 'type'],
  ['a text', 'text', 'type'],
  ['a list', [], 'type'],
  ['an object', {}, 'type'],
];

/** Values that servers often treat wrongly, whatever the schema. */
function* ofType(base: Json, flat: readonly PlainPart[]): Generator<Edge> {
  if (typeof base === 'number') {
    yield ['zero', 0];
    yield ['a negative number', -1];
  } else if (typeof base === 'string' && flat.every(({ schema }) => schema.enum === undefined)) {
    yield ['an empty text', ''];
    yield ['a text of a space', ' '];
    yield ['a text with other scripts', `${base} Ünïcødé 漢字 😀`];
    yield ['a text with quotes', `${base}'"\\<%$`];
    yield ['a text with a NUL', `${base}\u0000`];
    yield ['a long text', textOfLength(3000, 3000, base)];
  } else if (Array.isArray(base)) {
    const [first] = base as readonly Json[];
    if (first !== undefined) yield ['two items', [first, numbered(first, 1)]];
  } else if (typeof base === 'object' && base !== null)
    yield ['with a property of another name', { ...(base as JsonObject), unexpectedProperty: 'text' }];
}

type Edges = (schema: SchemaObject, base: Json) => Iterable<Edge>;

/** The values around the edge of each keyword; undefined for a keyword whose schemas have edges of their own, or none. */
const EDGES: Readonly<Record<CheckedKeyword, Edges | undefined>> = {
  enum: ({ enum: all = [] }) => [
    ...all.map((value): Edge => [`the value ${JSON.stringify(value)} of enum`, value]),
    ['not a value of enum', 'not-in-the-enum'],
  ],
  minimum: bound('minimum', -1),
  maximum: bound('maximum', 1),
  exclusiveMinimum: bound('exclusiveMinimum', -1),
  exclusiveMaximum: bound('exclusiveMaximum', 1),
  multipleOf: ({ multipleOf: step }, base) =>
    typeof base === 'number' && typeof step === 'number' ? [['half of multipleOf', step / 2]] : [],
  minLength: length('minLength', -1),
  maxLength: length('maxLength', 1),
  *pattern({ pattern }, base) {
    if (typeof base !== 'string' || typeof pattern !== 'string') return;
    for (const choice of [1, 2]) {
      const text = textOfPattern(pattern, 2, choice);
      if (text !== undefined) yield ['another text of pattern', text];
    }
    yield ['pattern and a line break', `${base}\n`];
    yield ['pattern and a prefix', `!${base}`];
    yield ['no text of pattern', '!'];
  },
  *format({ format: name }, base) {
    const { samples = [], outside = [] } = formatValues(name) ?? {};
    const isOfType = (value: Json): boolean => typeof value === typeof base;
    if (typeof base === 'string') {
      yield [`no ${String(name)}`, `no ${String(name)}`];
      yield* outside
        .filter(isOfType)
        .slice(0, 1)
        .map((value): Edge => [`nearly ${String(name)}`, value]);
    }
    if (typeof base !== 'number') return;
    for (const value of samples.filter(isOfType)) yield [`an end of ${String(name)}`, value];
    for (const value of outside.filter(isOfType)) yield [`nearly ${String(name)}`, value];
  },
  minItems: ({ minItems: least }, base) =>
    Array.isArray(base) && typeof least === 'number' && least > 0
      ? [['fewer than minItems', (base as readonly Json[]).slice(0, least - 1)]]
      : [],
  maxItems: ({ maxItems: most }, base) => {
    const [first] = Array.isArray(base) ? (base as readonly Json[]) : [];
    if (first === undefined || typeof most !== 'number' || most >= LONGEST) return [];
    const sized = (size: number): Json => Array.from({ length: size }, (_, index) => numbered(first, index));
    return [
      ['maxItems', sized(most)],
      ['one beyond maxItems', sized(most + 1)],
    ];
  },
  uniqueItems: ({ uniqueItems }, base) => {
    const [first] = Array.isArray(base) ? (base as readonly Json[]) : [];
    return first === undefined || uniqueItems !== true ? [] : [['an item twice', [first, first]]];
  },
  required: ({ required = [] }, base) => without(required, base, 'the required'),
  properties: ({ required = [], properties = {} }, base) =>
    without(
      Object.keys(properties).filter((name) => !required.includes(name)),
      base,
      'the optional',
    ),
  type: undefined,
  const: undefined,
  minProperties: undefined,
  maxProperties: undefined,
  minContains: undefined,
  maxContains: undefined,
  dependentRequired: undefined,
  $ref: undefined,
  allOf: undefined,
  anyOf: undefined,
  oneOf: undefined,
  not: undefined,
  if: undefined,
  then: undefined,
  else: undefined,
  dependentSchemas: undefined,
  patternProperties: undefined,
  additionalProperties: undefined,
  unevaluatedProperties: undefined,
  propertyNames: undefined,
  items: undefined,
  prefixItems: undefined,
  unevaluatedItems: undefined,
  contains: undefined,
};

function bound(
  keyword: 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum',
  outwards: 1 | -1,
): Edges {
  return ({ [keyword]: at }, base) =>
    typeof base === 'number' && typeof at === 'number'
      ? [
          [keyword, at],
          [`one beyond ${keyword}`, at + outwards],
          [`one within ${keyword}`, at - outwards],
        ]
      : [];
}

function length(keyword: 'minLength' | 'maxLength', outwards: 1 | -1): Edges {
  return function* ({ [keyword]: at }, base) {
    if (typeof base !== 'string' || typeof at !== 'number' || at > LONGEST) return;
    const sized = (size: number): string => textOfLength(size, size, base);
    yield [keyword, sized(at)];
    if (at + outwards >= 0) yield [`one beyond ${keyword}`, sized(at + outwards)];
    // A character outside the Basic Multilingual Plane counts as one, although some languages count it as two.
    if (at > 0) yield [`${keyword} of characters outside the BMP`, '😀'.repeat(at)];
  };
}

function* without(names: readonly string[], base: Json, which: string): Generator<Edge> {
  if (typeof base !== 'object' || base === null || Array.isArray(base)) return;
  for (const name of names) {
    const others = Object.entries(base).filter(([other]) => other !== name);
    if (name in base) yield [`without ${which} ${name}`, Object.fromEntries(others)];
  }
}

function numbered(value: Json, index: number): Json {
  if (index === 0) return value;
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' ? `${value}${String(index)}` : value;
}
