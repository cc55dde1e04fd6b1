/** Makes the values around the edges of schemas: the last that each keyword allows, and the first that it refuses. */

import type { Json } from '@concordat/runtime';
import { choicesOf, flattened, propertyParts } from './inner-parts.js';
import { type ExampleOptions, exampleItemParts, exampleValue } from './example-value.js';
import { type JsonObject, KEYWORD_VALUES, numbered } from './keyword-values.js';
import { type Part, type PlainPart, members, remembered } from './parts.js';
import { textOfLength } from './texts.js';

/**
 * A value that tests one thing. The checks of the schemas decide whether they accept it. It is made when it is read: a schema may have
 * thousands of them, of which few are sent.
 */
export class Variant {
  constructor(
    private readonly place: Place,
    private readonly what: string,
    /** The value of the tested part. */
    readonly tested: Json,
    /** The keyword that the value tests, if it tests one. */
    readonly keyword?: ValueKeyword,
  ) {}

  /** `body.name: one beyond maxLength`. */
  get about(): string {
    return `${this.place.name}: ${this.what}`;
  }

  get value(): Json {
    return this.place.holding(this.tested);
  }

  /** The path of the tested part in the value. */
  get path(): readonly (string | number)[] {
    return this.place.path;
  }
}

/** Where a tested part is. */
interface Place {
  readonly name: string;
  readonly path: Variant['path'];
  /** The whole value with this part. */
  readonly holding: (part: Json) => Json;
}

/** The members of deeper values are not varied. */
const DEPTH = 4;
/** After so many variants, no further member is varied: schemas that refer to each other have a member on every path through them. */
const MOST_VARIANTS = 3000;

/** The values for schemas that must all hold, those that differ near to the whole first. @param name - the name of the value in `about` */
export function* variantsOf(
  parts: readonly Part[],
  name: string,
  direction: ExampleOptions['direction'] = 'request',
): Generator<Variant> {
  const queue: Varied[] = [{ parts, place: { name, path: [], holding: (whole) => whole } }];
  let count = 0;
  for (const varied of queue) {
    for (const variant of variantsAt(varied, direction, queue)) {
      count += 1;
      yield variant;
    }
    if (count >= MOST_VARIANTS) return;
  }
}

/** Schemas, and the place of their value in the whole. */
interface Varied {
  readonly parts: readonly Part[];
  readonly place: Place;
}

/** @param queue - takes the members of the value */
function* variantsAt(
  { parts, place }: Varied,
  direction: ExampleOptions['direction'],
  queue: Varied[],
): Generator<Variant> {
  for (const choice of alternativesOf(parts)) {
    const flat = flattened(choice);
    const [base, plain] = [true, false].map((full) => exampleValue(choice, { direction, full }));
    for (const value of [base, plain])
      if (value !== undefined) yield new Variant(place, 'a plain value', value);
    if (base === undefined) continue;
    for (const [what, value, keyword] of edgesOf(flat, base)) yield new Variant(place, what, value, keyword);
    if (place.path.length >= DEPTH) continue;
    for (const [key, inner, withInner] of membersOf(flat, base)) {
      const name = place.name + (typeof key === 'number' ? `[${key}]` : `.${key}`);
      const holding = (part: Json): Json => place.holding(withInner(part));
      queue.push({ parts: inner, place: { name, path: [...place.path, key], holding } });
    }
  }
}

/** The parts with each alternative of the first `oneOf` or `anyOf` of several in turn. */
function alternativesOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const what = `alternatives ${parts.map(({ at }) => at).join(' ')}`;
  return remembered(parts, what, () => choicesOf(members(parts), 'several') ?? [parts]);
}

type Member = readonly [key: string | number, parts: readonly Part[], withInner: (value: Json) => Json];

function membersOf(flat: readonly PlainPart[], base: Json): readonly Member[] {
  if (Array.isArray(base)) {
    const [first, ...others] = base as readonly Json[];
    return first === undefined ? [] : [[0, exampleItemParts(flat, 0), (value) => [value, ...others]]];
  }
  if (typeof base !== 'object' || base === null) return [];
  const object = base as JsonObject;
  return Object.keys(object).map((key): Member => {
    return [key, propertyParts(flat, key) ?? [], (value) => ({ ...object, [key]: value })];
  });
}

type ValueKeyword = keyof typeof KEYWORD_VALUES;

const KEYWORDS = Object.keys(KEYWORD_VALUES) as ValueKeyword[];

/** A schema may have a function `edges`, which makes further ones from a value that fits. */
export type Edge = readonly [about: string, value: Json, keyword?: ValueKeyword];

function* edgesOf(flat: readonly PlainPart[], base: Json): Generator<Edge> {
  for (const { schema } of flat) {
    for (const keyword of KEYWORDS)
      if (schema[keyword] !== undefined)
        for (const edge of KEYWORD_VALUES[keyword].edges?.(schema, base) ?? []) yield [...edge, keyword];
    if ('edges' in schema) yield* (schema['edges'] as (fitting: Json) => Iterable<Edge>)(base);
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
  } else if (typeof base === 'object' && base !== null) {
    const value = { ...(base as JsonObject), unexpectedProperty: 'text' };
    yield ['with a property of another name', value, 'additionalProperties'];
  }
}

/** The value with another one at a path. */
export function replaced(value: Json, [token, ...rest]: Variant['path'], part: Json): Json {
  if (token === undefined) return part;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === token ? replaced(item, rest, part) : item));
  const object = value as JsonObject | null;
  return { ...object, [token]: replaced(object?.[token] ?? null, rest, part) };
}
