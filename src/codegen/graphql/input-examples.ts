/** Makes plain values of GraphQL input types, and writes values as literals. */

import type { Json } from 'concordat';
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  GraphQLString,
  Kind,
  type ValueNode,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { OF_SPECIFIED, scalarExample } from './scalar-examples.js';

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
