/** Reads the parts of a schema that decoding depends on: types, items and properties, and the default of an absent value. */

import type { Coercion, Json, ScalarType } from '@concordat/runtime';
import type { Schema, SchemaObject } from '../schemas/document.js';
import type { Located, Reader } from './reader.js';
import { joinPointer } from '../../text/pointer.js';
import { isExactInteger } from './value-types.js';
import { INVALID_DEFAULT } from '../schemas/contract-schemas.js';

const SCALARS: readonly string[] = ['null', 'boolean', 'exact', 'integer', 'number', 'string'];

/**
 * The coercion of a schema. A schema without types leaves text unchanged.
 *
 * @param at - the place of the schema, for messages
 */
export function coercionOf(reader: Reader, schema: Schema, at: string): Coercion {
  const key = Object(schema) as object;
  const coercion = reader.coercions.get(key) ?? simplify(shapesOf(reader, schema, at, new Set()));
  reader.coercions.set(key, coercion);
  return coercion;
}

/** Every shape that a schema allows; empty if it does not restrict the shape. */
function shapesOf(
  reader: Reader,
  schema: Schema,
  at: string,
  seen: ReadonlySet<string>,
): readonly Coercion[] {
  const { value, at: place } = reader.followSchema(schema, at);
  // A recursive schema has no finite text form, so the inner value is JSON text.
  if (seen.has(place)) return [{ type: 'json' }];
  const within = new Set(seen).add(place);
  const own = ownShapes(reader, value, place, within);
  if (own.length > 0) return own;
  const alternatives = value.oneOf ?? value.anyOf;
  if (alternatives !== undefined) {
    const keyword = value.oneOf ? 'oneOf' : 'anyOf';
    return alternatives.flatMap((branch, i) =>
      shapesOf(reader, branch, joinPointer(place, keyword, i), within),
    );
  }
  return mergeAll(
    (value.allOf ?? []).map((part, i) => shapesOf(reader, part, joinPointer(place, 'allOf', i), within)),
  );
}

function ownShapes(
  reader: Reader,
  schema: SchemaObject,
  at: string,
  seen: ReadonlySet<string>,
): readonly Coercion[] {
  return typesOf(schema).flatMap((type): readonly Coercion[] => {
    if (type === 'array') return [{ type, items: itemsOf(reader, schema, at, seen) }];
    if (type === 'object') return [objectOf(reader, schema, at, seen)];
    if (type !== 'null' && isExactInteger(reader.values, schema)) return [{ type: 'exact' }];
    return SCALARS.includes(type) ? [{ type: type as ScalarType }] : [];
  });
}

/** The types that a schema names, or that its other keywords imply. */
function typesOf(schema: SchemaObject): readonly string[] {
  if (schema.type !== undefined) return [schema.type].flat();
  const values = schema.const !== undefined ? [schema.const] : schema.enum;
  if (values !== undefined) return [...new Set(values.map(typeOfValue))];
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ['array'];
  if (schema.properties !== undefined) return ['object'];
  return [];
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function itemsOf(reader: Reader, schema: SchemaObject, at: string, seen: ReadonlySet<string>): Coercion {
  return simplify(
    schema.items === undefined ? [] : shapesOf(reader, schema.items, joinPointer(at, 'items'), seen),
  );
}

function objectOf(reader: Reader, schema: SchemaObject, at: string, seen: ReadonlySet<string>): Coercion {
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]): [string, Coercion] => [
      name,
      simplify(shapesOf(reader, property, joinPointer(at, 'properties', name), seen)),
    ]),
  );
  const inherited = mergeAll(
    (schema.allOf ?? []).map((part, i) => shapesOf(reader, part, joinPointer(at, 'allOf', i), seen)),
  ).find((shape) => 'properties' in shape);
  // If `additionalProperties` is given, it evaluates every property, and `unevaluatedProperties` applies to none.
  const keyword =
    schema.additionalProperties === undefined ? 'unevaluatedProperties' : 'additionalProperties';
  const rest = schema[keyword];
  const additional =
    rest === undefined || typeof rest === 'boolean'
      ? undefined
      : simplify(shapesOf(reader, rest, joinPointer(at, keyword), seen));
  return {
    type: 'object',
    properties: { ...(inherited && 'properties' in inherited ? inherited.properties : {}), ...properties },
    ...(additional && { additional }),
  };
}

/** The shapes that `allOf` allows: one object with the properties of all objects, or else the shapes of the first part that has any. */
function mergeAll(parts: readonly (readonly Coercion[])[]): readonly Coercion[] {
  const shaped = parts.filter((shapes) => shapes.length > 0);
  const objects = shaped.flat().filter((shape) => 'properties' in shape);
  if (objects.length === 0) return shaped[0] ?? [];
  return [
    {
      type: 'object',
      properties: Object.assign({}, ...objects.map((shape) => shape.properties)) as Record<string, Coercion>,
      ...objects.reduce((found, { additional }) => (additional ? { additional } : found), {}),
    },
  ];
}

/** One coercion for several shapes: scalars together, arrays and objects before them. */
export function simplify(shapes: readonly Coercion[]): Coercion {
  const composite: Coercion[] = [];
  const scalars = new Set<ScalarType>();
  for (const shape of shapes.flatMap((each) => ('anyOf' in each ? each.anyOf : [each]))) {
    if ('anyOf' in shape) continue;
    if (shape.type === 'array' || shape.type === 'object' || shape.type === 'json') composite.push(shape);
    else for (const type of [shape.type].flat()) scalars.add(type);
  }
  const ordered = SCALARS.filter((type) => scalars.has(type as ScalarType)) as ScalarType[];
  const [first, ...more] = ordered;
  const scalar: Coercion[] = first === undefined ? [] : [{ type: more.length === 0 ? first : ordered }];
  const [only, ...others] = [...composite, ...scalar];
  if (only === undefined) return { type: 'string' };
  return others.length === 0 ? only : { anyOf: [only, ...others] };
}

/** The nearest `default` of a schema. Those that their own schemas refuse are reported. */
export function defaultOf(reader: Reader, schema: Schema, at: string): Json | undefined {
  const found = reader.schemas.made(schema, at).defaultOf((place) => {
    reader.unsupported('invalid-default', place, INVALID_DEFAULT);
  });
  return found?.value as Json | undefined;
}

/** A place that declares a property. */
export interface Property extends Located<Schema> {
  /** Whether the place applies to every value, and not only to one alternative. */
  readonly isCertain: boolean;
}

/** The properties of a schema by name, each with every place that declares it. */
export function propertiesOf(
  reader: Reader,
  schema: Schema,
  at: string,
): ReadonlyMap<string, readonly Property[]> {
  const properties = new Map<string, Property[]>();
  const seen = new Set<string>();
  const gather = (part: Schema, partAt: string, isCertain: boolean): void => {
    const { value, at: place } = reader.followSchema(part, partAt);
    if (seen.has(place)) return;
    seen.add(place);
    for (const [name, property] of Object.entries(value.properties ?? {})) {
      const found = { value: property, at: joinPointer(place, 'properties', name), isCertain };
      properties.set(name, [...(properties.get(name) ?? []), found]);
    }
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
      for (const [i, member] of (value[keyword] ?? []).entries()) {
        gather(member, joinPointer(place, keyword, i), isCertain && keyword === 'allOf');
      }
    }
  };
  gather(schema, at, true);
  return properties;
}
