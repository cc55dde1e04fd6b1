/** Makes plain values of GraphQL input types and output types, and literals of inputs. */

import type { Json } from '@concordat/runtime';
import { type GraphqlInput, constraintSchema } from 'concordat/contract';
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  Kind,
  type ValueNode,
  getNamedType,
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
import { once } from '@concordat/runtime/parts';
import { exampleValue } from '../example-value.js';
import type { Part, Reader, Schema, SchemaObject } from '../parts.js';
import { type Edge, type Variant, variantsOf } from '../value-variants.js';

type JsonObject = Readonly<Record<string, Json>>;

/**
 * A value that the schema accepts, with the required members or with all members.
 *
 * @returns undefined for an object that requires itself
 */
export function exampleInput(input: GraphqlInput, full: boolean): Json | undefined {
  return exampleValue(partsOf(input), { direction: 'request', full, own: 'leaves', nests: false });
}

/** The input in the form from which values are made. */
const partsOf = (input: GraphqlInput): readonly Part[] => [{ schema: inputSchema(input), at: '', reader }];

/** The values around the edges of a type; the schema decides whether it accepts them. @param name - the name of the value in `about` */
export const inputVariants = (input: GraphqlInput, name: string): Iterable<Variant> =>
  variantsOf(partsOf(input), name);

function inputSchema(input: GraphqlInput): Schema {
  const constraint = constraintSchema(input);
  const own = schemaOf(input.type, input.name, constraint === undefined);
  return constraint === undefined ? own : { allOf: [own, constraint] };
}

/**
 * Null is a value of no schema here, because values of other types, of which it is one, are tried for each.
 *
 * @param isTypical - whether texts and numbers have typical values, which constraints may refuse
 */
function schemaOf(type: GraphQLInputType, name: string, isTypical: boolean): Schema {
  const inner = getNullableType(type);
  if (isInputObjectType(inner)) return { $ref: inner };
  if (isListType(inner))
    return { type: 'array', items: schemaOf(inner.ofType, name, isTypical), minItems: 1, edges: ofList };
  if (isEnumType(inner)) {
    const values = inner.getValues().slice(0, MOST_MEMBERS);
    return { enum: values.map((each) => each.name) };
  }
  const made = scalarExample(inner === GraphQLString ? name : inner.name) as Json | undefined;
  const example = inner === GraphQLString && typeof made !== 'string' ? name : (made ?? 'text');
  const { examples, ...known } = SPECIFIED[inner.name] ?? { type: typeof example, examples: [example] };
  return { ...known, ...(isTypical && { examples }) };
}

/** The most members of an enum that are tried. */
const MOST_MEMBERS = 20;

function ofList(base: Json): readonly Edge[] {
  const [item] = Array.isArray(base) ? (base as readonly Json[]) : [];
  return item === undefined ? [] : [['an item without a list', item]];
}

/** Reads a reference to an input object, which may contain itself, and schemas that must all hold. */
const reader: Reader = {
  read({ schema: { $ref, allOf = [], ...own }, at }) {
    const referred = $ref === undefined ? [] : [referenced($ref as GraphQLInputObjectType)];
    return {
      own: Object.keys(own).length === 0 ? [] : [{ schema: own, at, reader }],
      others: [...allOf.map((schema) => ({ schema, at, reader })), ...referred],
    };
  },
  besides: () => [],
};

const referenced = (type: GraphQLInputObjectType): Part => {
  return { schema: once(type, objectSchema), at: type.name, reader };
};

function objectSchema(type: GraphQLInputObjectType): Schema {
  const fields = Object.values(type.getFields());
  const properties = Object.fromEntries(fields.map((field) => [field.name, inputSchema(field)]));
  const required = fields.filter(isRequiredInputField).map(({ name }) => name);
  if (!type.isOneOf) return { type: 'object', properties, required };
  // The first is the example, which should not contain itself.
  const simplest = fields.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ name }) => name);
  const both = (): readonly Edge[] => {
    const members = fields.slice(0, 2).map((field) => [field.name, exampleInput(field, false) ?? null]);
    return members.length === 2 ? [['with two of @oneOf', Object.fromEntries(members) as Json]] : [];
  };
  const oneOf = simplest.map((name) => ({
    required: [name],
    properties: { [name]: properties[name] ?? true },
  }));
  return { type: 'object', oneOf, edges: both };
}

const rankOf = ({ type }: GraphQLInputField): number => Number(isInputObjectType(getNamedType(type)));

/**
 * A value that contains the given one as a value of the named type.
 *
 * @param seen - the input objects that were searched before
 * @returns undefined if the type contains none
 */
export function inputWith(
  type: GraphQLInputType,
  name: string,
  given: Json,
  seen = new Set<GraphQLInputObjectType>(),
): Json | undefined {
  if (isNonNullType(type)) return inputWith(type.ofType, name, given, seen);
  if (isListType(type)) {
    const item = inputWith(type.ofType, name, given, seen);
    return item === undefined ? undefined : [item];
  }
  if (type.name === name) return given;
  if (!isInputObjectType(type) || seen.has(type)) return undefined;
  seen.add(type);
  for (const field of Object.values(type.getFields())) {
    const inner = inputWith(field.type, name, given, seen);
    if (inner !== undefined) return objectWith(type, field.name, inner);
  }
  return undefined;
}

/** An input object with its required members and one given member. */
export function objectWith(type: GraphQLInputObjectType, name: string, given: Json): Json {
  const others = type.isOneOf ? {} : (exampleInput({ type, name: '' }, false) as JsonObject);
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
  if (isListType(type))
    return Array.from({ length: count }, () => exampleOutput(schema, type.ofType, name, count));
  const shown = isAbstractType(type) ? schema.getPossibleTypes(type)[0] : type;
  if (isObjectType(shown)) return { __typename: shown.name };
  if (isEnumType(shown)) return shown.getValues()[0]?.value as unknown;
  if (shown === undefined) return null;
  if (isSpecifiedScalarType(shown)) return SPECIFIED[shown.name]?.examples[0] ?? name;
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

/** The specified scalars but String, whose value is the name of its field or argument. */
const SPECIFIED: Readonly<Record<string, SchemaObject & { readonly examples: readonly [Json] }>> = {
  Int: { type: 'integer', format: 'int32', examples: [1] },
  Float: { type: 'number', examples: [1.5] },
  Boolean: { type: 'boolean', examples: [true] },
  ID: { type: 'string', examples: ['1'] },
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
