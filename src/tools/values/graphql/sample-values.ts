/** Makes plain values of GraphQL input types and output types, and literals of inputs. */

import type { Json } from '@concordat/runtime';
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
 * A value that the schema accepts, with the required members or with all members.
 *
 * @param name - the name of the argument or input field
 * @param around - the enclosing input objects
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
 * A value that contains the given one as a value of the named type.
 *
 * @param around - the enclosing input objects
 * @returns undefined if the type contains none
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

/** An input object with its required members and one given member. */
export function objectWith(type: GraphQLInputObjectType, name: string, given: Json): Json {
  const others = type.isOneOf ? {} : (exampleObject(type, false, []) as JsonObject);
  return { ...others, [name]: given };
}

/**
 * A value that a field may resolve to; the fields of an object have their own resolvers.
 *
 * @param name - the name of the field, which is also the value of a String
 * @param count - the number of items of each list
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

/** The literal of a value in a document. */
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

/** The values of the specified scalars but String, whose value is the name of its field or argument. */
const OF_SPECIFIED: Readonly<Record<string, string | number | boolean>> = {
  Int: 1,
  Float: 1.5,
  Boolean: true,
  ID: '1',
};

/**
 * @param name - the name of a scalar, or of a field or argument that holds a text
 * @returns a value that most servers accept for it; undefined for an unrecognized name
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
