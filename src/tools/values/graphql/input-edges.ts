/** Makes values around the edges of GraphQL input types. */

import type { Json } from '@concordat/runtime';
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { exampleInput } from './sample-values.js';

/** A value that tests one thing. The schema decides whether it accepts it. */
export interface Variant {
  /** `input.name: an empty text`. */
  readonly about: string;
  readonly value: Json;
  /** The path of the tested part in the value. */
  readonly path: readonly (string | number)[];
}

type JsonObject = Readonly<Record<string, Json>>;

/** The members of deeper values are not varied. */
const DEPTH = 3;

/** @param name - the name of the value in `about` */
export function* variantsOf(type: GraphQLInputType, name: string, depth = 0): Generator<Variant> {
  const inner = getNullableType(type);
  const at = (about: string, value: Json): Variant => ({ about: `${name}: ${about}`, value, path: [] });
  for (const [about, value] of edgesOf(inner, name.replace(/.*\./, ''))) yield at(about, value);
  yield at('null', null);
  if (depth === DEPTH) return;
  if (isListType(inner)) {
    for (const { about, value, path } of variantsOf(inner.ofType, `${name}[0]`, depth + 1)) {
      yield { about, value: [value], path: [0, ...path] };
    }
  }
  if (!isInputObjectType(inner)) return;
  const base = exampleInput(inner, name, true) as JsonObject;
  for (const field of Object.values(inner.getFields())) {
    const others = inner.isOneOf ? {} : base;
    for (const each of variantsOf(field.type, `${name}.${field.name}`, depth + 1)) {
      yield { ...each, value: { ...others, [field.name]: each.value }, path: [field.name, ...each.path] };
    }
  }
}

type Edge = readonly [about: string, value: Json];

function* edgesOf(type: GraphQLInputType, name: string): Generator<Edge> {
  const full = exampleInput(type, name, true);
  if (full !== undefined) yield ['a plain value', full];
  if (isListType(type)) {
    const [item] = full as readonly Json[];
    yield ['an empty list', []];
    if (item === undefined) return;
    yield ['two items', [item, item]];
    yield ['an item without a list', item];
  } else if (isEnumType(type)) {
    for (const { name: member } of type.getValues().slice(0, 20)) yield [`the value ${member}`, member];
    yield ['not a value of the enum', 'NOT_IN_THE_ENUM'];
    yield ['a number', 7];
  } else if (isInputObjectType(type)) {
    yield* objectEdges(type, full as JsonObject);
  } else {
    yield* OF_TYPE[type.name] ?? [];
  }
}

function* objectEdges(type: GraphQLInputObjectType, full: JsonObject): Generator<Edge> {
  const plain = exampleInput(type, '', false) as JsonObject;
  yield ['with the required parts', plain];
  yield ['with a field of another name', { ...full, unexpectedField: 1 }];
  yield ['a text', 'text'];
  const fields = Object.values(type.getFields());
  if (type.isOneOf) {
    yield ['with none of @oneOf', {}];
    const both = fields
      .slice(0, 2)
      .map(({ name, type: own }) => [name, exampleInput(own, name, false) ?? null] as const);
    if (both.length === 2) yield ['with two of @oneOf', Object.fromEntries(both)];
    return;
  }
  for (const { name } of fields.filter((each) => each.name in full)) {
    const others = Object.fromEntries(Object.entries(full).filter(([other]) => other !== name));
    yield [`without ${name}`, others];
  }
}

const OF_TYPE: Readonly<Record<string, readonly Edge[]>> = {
  Int: [
    ['zero', 0],
    ['a negative number', -1],
    ['the greatest Int', 2_147_483_647],
    ['the least Int', -2_147_483_648],
    ['one beyond Int', 2_147_483_648],
    ['a fraction', 1.5],
    ['a text', '1'],
    ['a boolean', true],
    ['an object', {}],
  ],
  Float: [
    ['zero', 0],
    ['a negative number', -1.5],
    ['a great number', 1e300],
    ['a whole number', 3],
    ['a text', '1.5'],
    ['a boolean', true],
  ],
  String: [
    ['an empty text', ''],
    ['a text of a space', ' '],
    ['a text with other scripts', 'Ünïcødé 漢字 😀'],
    ['a text with quotes', `'"\\<%$\n"""`],
    ['a text with a NUL', 'a\u0000b'],
    ['a long text', 'text '.repeat(600)],
    ['a number', 7],
    ['a boolean', true],
    ['a list', ['text', 'text']],
    ['an object', {}],
  ],
  Boolean: [
    ['false', false],
    ['a text', 'true'],
    ['a number', 1],
  ],
  ID: [
    ['an id of nothing', 'id-of-nothing'],
    ['an empty text', ''],
    ['a number', 1],
    ['a fraction', 1.5],
    ['a boolean', true],
  ],
};
