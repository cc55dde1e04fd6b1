/** Makes the values around the edges of schemas: the last that each keyword allows, and the first that it refuses. */

import type { Json } from '../contract/contract.js';
import { flattened } from './alternatives.js';
import { type ExampleOptions, exampleItemParts, exampleValue } from './example-value.js';
import { propertyParts } from './inner-parts.js';
import {
  ALTERNATIONS,
  type Alternation,
  type JsonObject,
  KEYWORD_VALUES,
  alternative,
  numbered,
} from './keyword-values.js';
import { type Part, type PlainPart, isNull, members, remembered } from './parts.js';
import { textOfLength } from './texts.js';

/** A value that tests one thing. The checks of the schemas decide whether they accept it. */
export interface Variant {
  /** `body.name: one beyond maxLength`. */
  readonly about: string;
  readonly value: Json;
  /** The path of the tested part in the value. */
  readonly path: readonly (string | number)[];
  /** The keyword that the value tests, if it tests one. */
  readonly keyword?: ValueKeyword;
}

/** The members of deeper values are not varied. */
const DEPTH = 4;

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
  return remembered(parts, `alternatives ${parts.map(({ at }) => at).join(' ')}`, () =>
    readAlternatives(parts),
  );
}

function readAlternatives(parts: readonly Part[]): readonly (readonly Part[])[] {
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

type ValueKeyword = keyof typeof KEYWORD_VALUES;

const KEYWORDS = Object.keys(KEYWORD_VALUES) as ValueKeyword[];

type Edge = readonly [about: string, value: Json, keyword?: ValueKeyword];

function* edgesOf(flat: readonly PlainPart[], base: Json): Generator<Edge> {
  for (const { schema } of flat) {
    for (const keyword of KEYWORDS)
      if (schema[keyword] !== undefined)
        for (const edge of KEYWORD_VALUES[keyword].edges?.(schema, base) ?? []) yield [...edge, keyword];
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

/** Values that servers often treat wrongly, for any schema. */
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
