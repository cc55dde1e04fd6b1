/** How values come to fit each keyword, and the values at its edge: the last that it allows, and the first that it refuses. */

import type { Json } from '@concordat/runtime';
import {
  BOUNDS,
  type BoundKeyword,
  COUNTS,
  type CheckedKeyword,
  type CountKeyword,
  tableOf,
  typeOf,
} from '@concordat/runtime/parts';
import { formatValues } from './format-values.js';
import type { Part, PlainPart, Schema, SchemaObject } from './parts.js';
import { isNull, members, partIn } from './parts.js';
import { textOfLength, textOfPattern } from './texts.js';

interface KeywordValues {
  /** The alternatives of which a value fits one. */
  readonly alternatives?: Alternatives;
  /** Whether a value that is made for all keywords may not fit this one, so that it is checked. */
  readonly isTried?: boolean;
  /** The values around the edge. @param base - a value that fits */
  readonly edges?: (schema: SchemaObject, base: Json) => Iterable<Edge>;
}

type Alternatives = (part: PlainPart, value: unknown) => readonly (readonly Part[])[];

type Edge = readonly [about: string, value: Json];

/** The values are made to fit, and have no edge of their own. */
const MADE: KeywordValues = {};
const TRIED: KeywordValues = { isTried: true };

/** The keywords that the compiler of checks adds: the alternative to null, and the schemas by the value of a property. */
type OwnKeyword = 'nullOr' | 'dispatch';

/** In the order in which edges are tried. */
export const KEYWORD_VALUES: Readonly<Record<CheckedKeyword | OwnKeyword, KeywordValues>> = {
  oneOf: { alternatives: alternativesOf('oneOf') },
  anyOf: { alternatives: alternativesOf('anyOf') },
  nullOr: {
    alternatives: (part, value) => [[partIn(part, value as Schema)], [{ ...part, schema: { type: 'null' } }]],
  },
  dispatch: {
    alternatives: (part, value) => {
      type Dispatch = { readonly property: string; readonly values: readonly (readonly Json[])[] };
      const { property, values } = part.schema['dispatchOn'] as Dispatch;
      return (value as readonly Schema[]).map((branch, index) => {
        const named = (values[index] ?? []).filter((each) => (each as Json | undefined) !== undefined);
        return [{ ...part, schema: { properties: { [property]: { enum: named } } } }, partIn(part, branch)];
      });
    },
  },
  if: {
    alternatives: (part, value) => {
      const branch = (keyword: 'then' | 'else'): Part =>
        partIn(part, (part.schema[keyword] ?? true) as Schema, keyword);
      return [
        [{ ...part, schema: { not: value } }, branch('else')],
        [partIn(part, value as Schema, 'if'), branch('then')],
      ];
    },
  },
  dependentSchemas: {
    alternatives: dependent('dependentSchemas', (part, schema, name) =>
      partIn(part, schema as Schema, 'dependentSchemas', name),
    ),
  },
  dependentRequired: {
    alternatives: dependent('dependentRequired', (part, required) => ({
      ...part,
      schema: { required: required as readonly string[] },
    })),
  },
  enum: {
    edges: ({ enum: all = [] }) => [
      ...all.map((value): Edge => [`the value ${JSON.stringify(value)} of enum`, value]),
      ['no value of enum', 'not-in-the-enum'],
    ],
  },
  ...tableOf(BOUNDS, bound),
  multipleOf: {
    edges: ({ multipleOf: step }, base) =>
      typeof base === 'number' && typeof step === 'number' ? [['half of multipleOf', step / 2]] : [],
  },
  ...tableOf(COUNTS, count),
  pattern: {
    *edges({ pattern }, base) {
      if (typeof base !== 'string' || typeof pattern !== 'string') return;
      for (const choice of [1, 2]) {
        const text = textOfPattern(pattern, 2, choice);
        if (text !== undefined) yield ['another text of pattern', text];
      }
      yield ['pattern and a line break', `${base}\n`];
      yield ['pattern and a prefix', `!${base}`];
      yield ['no text of pattern', '!'];
    },
  },
  format: {
    *edges({ format: name }, base) {
      const { samples = [], outside = [] } = formatValues(name) ?? {};
      const isOfType = (value: Json): boolean => typeof value === typeof base;
      if (typeof base === 'string') {
        yield [`no ${String(name)}`, `no ${String(name)}`];
        const near = outside.find(isOfType);
        if (near !== undefined) yield [`nearly ${String(name)}`, near];
      }
      if (typeof base !== 'number') return;
      for (const value of samples.filter(isOfType)) yield [`an end of ${String(name)}`, value];
      for (const value of outside.filter(isOfType)) yield [`nearly ${String(name)}`, value];
    },
  },
  uniqueItems: {
    isTried: true,
    edges: ({ uniqueItems }, base) => {
      const [first] = Array.isArray(base) ? (base as readonly Json[]) : [];
      return first === undefined || uniqueItems !== true ? [] : [['an item twice', [first, first]]];
    },
  },
  required: { edges: ({ required = [] }, base) => without(required, base, 'the required') },
  properties: {
    edges: ({ required = [], properties = {} }, base) => {
      const optional = Object.keys(properties).filter((name) => !required.includes(name));
      return without(optional, base, 'the optional');
    },
  },
  not: TRIED,
  propertyNames: TRIED,
  contains: TRIED,
  minContains: MADE,
  maxContains: MADE,
  type: MADE,
  const: MADE,
  $ref: MADE,
  allOf: MADE,
  then: MADE,
  else: MADE,
  patternProperties: MADE,
  additionalProperties: MADE,
  unevaluatedProperties: MADE,
  items: MADE,
  prefixItems: MADE,
  unevaluatedItems: MADE,
};

/** A keyword with alternatives. */
export type Alternation = 'oneOf' | 'anyOf';

export const ALTERNATIONS: readonly Alternation[] = ['oneOf', 'anyOf'];

/** An alternative of a part, and the parts that hold beside it. */
export function alternative(part: PlainPart, keyword: Alternation, index: number): readonly Part[] {
  const schema = part.schema[keyword]?.[index];
  if (schema === undefined) return [];
  return [partIn(part, schema, keyword, index), ...(part.reader?.besides(part, schema) ?? [])];
}

/** The alternatives of each, null last. */
function alternativesOf(keyword: Alternation): Alternatives {
  return (part) => {
    const all = part.schema[keyword] ?? [];
    const rank = (index: number): number => Number(isNull(all[index] ?? true));
    const indices = [...all.keys()].toSorted((a, b) => rank(a) - rank(b));
    const found = indices.map((index) => alternative(part, keyword, index));
    // Examples are not held against a `not`, so only values of checks are made so.
    return keyword === 'oneOf' && part.reader === undefined ? [...found, ...found.flatMap(apart)] : found;
  };
}

/** An alternative with a wrong member for each of the others that require none: these would accept its values too. */
function apart(own: readonly Part[], index: number, all: readonly (typeof own)[]): readonly (typeof own)[] {
  const known = new Set(members(own).flatMap(({ schema }) => Object.keys(schema.properties ?? {})));
  const wrong = all.toSpliced(index, 1).flatMap((other): readonly Part[] => {
    const plain = members(other);
    const properties = plain.flatMap((each) => Object.entries(each.schema.properties ?? {}));
    const [name, schema] = properties.find(([each]) => !known.has(each)) ?? [];
    if (name === undefined || plain.some((each) => each.schema.required !== undefined)) return [];
    return [{ schema: { required: [name], properties: { [name]: { not: schema } } }, at: '' }];
  });
  return wrong.length === 0 ? [] : [[...own, ...wrong]];
}

/** Two alternatives: without the first property of a map, or with it and its consequence. Both have the rest of the map. */
function dependent(
  keyword: 'dependentSchemas' | 'dependentRequired',
  consequence: (part: PlainPart, value: unknown, name: string) => Part,
): Alternatives {
  return (part, value) => {
    const [[name, first] = [], ...others] = Object.entries(value as Readonly<Record<string, unknown>>);
    if (name === undefined) return [[]];
    const rest = others.length === 0 ? [] : [{ ...part, schema: { [keyword]: Object.fromEntries(others) } }];
    return [
      [{ ...part, schema: { properties: { [name]: false } } }, ...rest],
      [{ ...part, schema: { required: [name] } }, consequence(part, first, name), ...rest],
    ];
  };
}

function bound(keyword: BoundKeyword): KeywordValues {
  const outwards = BOUNDS[keyword].end === 'least' ? -1 : 1;
  return {
    *edges({ [keyword]: at }, base) {
      if (typeof base !== 'number' || typeof at !== 'number') return;
      yield [keyword, at];
      yield [`one beyond ${keyword}`, at + outwards];
      yield [`one within ${keyword}`, at - outwards];
    },
  };
}

/** Longer texts and lists are not made, because they would cost more than they reveal. */
const LONGEST = 20_000;

function count(keyword: CountKeyword): KeywordValues {
  const { type, end } = COUNTS[keyword];
  return {
    isTried: type !== 'string',
    *edges({ [keyword]: at }, base) {
      if (typeOf(base) !== type || typeof at !== 'number' || at > LONGEST) return;
      const sized = [at, at + (end === 'least' ? -1 : 1)].map((size) => ofSize(base, size));
      for (const [index, value] of sized.entries())
        if (value !== undefined) yield [index === 0 ? keyword : `one beyond ${keyword}`, value];
      // A character outside the Basic Multilingual Plane counts as one, although some languages count it as two.
      if (type === 'string' && at > 0) yield [`${keyword} of characters outside the BMP`, '😀'.repeat(at)];
    },
  };
}

/** A value of a size, made from another; undefined if there is none. */
function ofSize(base: Json, size: number): Json | undefined {
  if (size < 0) return undefined;
  if (typeof base === 'string') return textOfLength(size, size, base);
  if (!Array.isArray(base)) return undefined;
  const items = base as readonly Json[];
  if (size <= items.length) return items.slice(0, size);
  const [first] = items;
  return first === undefined ? undefined : Array.from({ length: size }, (_, index) => numbered(first, index));
}

function* without(names: readonly string[], base: Json, which: string): Generator<Edge> {
  if (typeOf(base) !== 'object') return;
  const entries = Object.entries(base as JsonObject);
  for (const name of names) {
    const others = entries.filter(([other]) => other !== name);
    if (others.length < entries.length) yield [`without ${which} ${name}`, Object.fromEntries(others)];
  }
}

export type JsonObject = Readonly<Record<string, Json>>;

/** Another value of the same kind for each index. */
export function numbered(value: Json, index: number): Json {
  if (index === 0) return value;
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' ? `${value}${index}` : value;
}
