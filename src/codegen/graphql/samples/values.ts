/** Plain values of GraphQL types: of inputs, which are written as literals, and of outputs. */

import type { Json } from 'concordat';
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  Kind,
  type ValueNode,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isSpecifiedScalarType,
} from 'graphql';

type JsonObject = Readonly<Record<string, Json>>;

/**
 * A value that the schema takes, with what is required or with everything.
 *
 * @param name - of the argument or input field
 * @param around - the input objects that it is in
 * @returns undefined for an object within itself
 */
export function exampleInput(
  type: GraphQLInputType,
  name: string,
  full: boolean,
  around: readonly string[] = [],
): Json | undefined {
  if (isNonNullType(type)) return exampleInput(type.ofType, name, full, around);
  if (isListType(type)) {
    const item = exampleInput(type.ofType, name, full, around);
    return item === undefined ? [] : [item];
  }
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return exampleObject(type, full, around);
  return exampleScalar(type, name);
}

function exampleObject(
  type: GraphQLInputObjectType,
  full: boolean,
  around: readonly string[],
): Json | undefined {
  if (around.includes(type.name)) return undefined;
  const members: [string, Json][] = [];
  for (const field of Object.values(type.getFields())) {
    if (!full && !type.isOneOf && !isRequiredInputField(field)) continue;
    const value = exampleInput(field.type, field.name, full, [...around, type.name]);
    if (value === undefined) continue;
    members.push([field.name, value]);
    if (type.isOneOf) break;
  }
  return Object.fromEntries(members);
}

function exampleScalar(type: GraphQLScalarType, name: string): Json {
  const known = OF_SPECIFIED[type.name];
  if (known !== undefined) return known;
  const made = scalarExample(type === GraphQLString ? name : type.name) as Json | undefined;
  if (type !== GraphQLString) return made ?? 'text';
  return typeof made === 'string' ? made : name;
}

/**
 * A value that holds the given one in the place of a value of the named type.
 *
 * @param around - the input objects that it is in
 * @returns undefined where the type holds none
 */
export function inputWith(
  type: GraphQLInputType,
  name: string,
  given: Json,
  around: readonly string[] = [],
): Json | undefined {
  if (isNonNullType(type)) return inputWith(type.ofType, name, given, around);
  if (isListType(type)) {
    const item = inputWith(type.ofType, name, given, around);
    return item === undefined ? undefined : [item];
  }
  if (type.name === name) return given;
  if (!isInputObjectType(type) || around.includes(type.name)) return undefined;
  for (const field of Object.values(type.getFields())) {
    const inner = inputWith(field.type, name, given, [...around, type.name]);
    if (inner !== undefined) return objectWith(type, field.name, inner);
  }
  return undefined;
}

/** An input object with what it requires and one given member. */
export function objectWith(type: GraphQLInputObjectType, name: string, given: Json): Json {
  const others = type.isOneOf ? {} : (exampleObject(type, false, []) as JsonObject);
  return { ...others, [name]: given };
}

/**
 * A value that a field of a server may resolve to; the fields of an object have resolvers of their own.
 *
 * @param name - of the field, which is its text where the type has no example
 * @param count - of the items of each list
 */
export function exampleOutput(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  name: string,
  count: number,
): unknown {
  if (isNonNullType(type)) return exampleOutput(schema, type.ofType, name, count);
  if (isListType(type)) {
    return Array.from({ length: count }, () => exampleOutput(schema, type.ofType, name, count));
  }
  const shown = isAbstractType(type) ? schema.getPossibleTypes(type)[0] : type;
  if (isObjectType(shown)) return { __typename: shown.name };
  if (isEnumType(shown)) return shown.getValues()[0]?.value as unknown;
  if (shown === undefined) return null;
  if (isSpecifiedScalarType(shown)) return OF_SPECIFIED[shown.name] ?? name;
  return scalarExample(shown.name) ?? shown.name;
}

/** A value as it is written in a document. */
export function literalOf(value: Json, type: GraphQLInputType): ValueNode {
  const inner = getNullableType(type);
  if (value === null) return { kind: Kind.NULL };
  if (Array.isArray(value)) {
    const item = isListType(inner) ? inner.ofType : inner;
    return { kind: Kind.LIST, values: value.map((each: Json) => literalOf(each, item)) };
  }
  if (isListType(inner)) return literalOf(value, inner.ofType);
  if (typeof value === 'object') {
    const fields = isInputObjectType(inner) ? inner.getFields() : {};
    return {
      kind: Kind.OBJECT,
      fields: Object.entries(value as JsonObject).map(([name, member]) => ({
        kind: Kind.OBJECT_FIELD,
        name: { kind: Kind.NAME, value: name },
        value: literalOf(member, fields[name]?.type ?? GraphQLString),
      })),
    };
  }
  if (typeof value === 'boolean') return { kind: Kind.BOOLEAN, value };
  if (typeof value === 'string') return { kind: isEnumType(inner) ? Kind.ENUM : Kind.STRING, value };
  const text = String(value);
  return { kind: /^-?\d+$/.test(text) ? Kind.INT : Kind.FLOAT, value: text };
}

/** A text has the name of what holds it. */
const OF_SPECIFIED: Readonly<Record<string, string | number | boolean>> = {
  Int: 1,
  Float: 1.5,
  Boolean: true,
  ID: '1',
};

/**
 * @param name - of a scalar, or of a field or argument that holds a text
 * @returns a value that most servers take for it; undefined for a name that says nothing
 */
function scalarExample(name: string): string | number | boolean | object | undefined {
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}

const BY_NAME: readonly (readonly [pattern: RegExp, value: string | number | boolean | object])[] = [
  [/date_?time|timestamp|instant/i, '2026-01-01T00:00:00Z'],
  [/date/i, '2026-01-01'],
  [/time/i, '00:00:00Z'],
  [/ur[il]/i, 'https://example.com/'],
  [/uuid|guid/i, '00000000-0000-4000-8000-000000000000'],
  [/e_?mail/i, 'ada@example.com'],
  [/json|object|map/i, {}],
  [/int|long|byte|short/i, 1],
  [/float|double|decimal|number/i, 1.5],
  [/bool/i, true],
];
