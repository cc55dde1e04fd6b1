/** Reads the parts of a schema that decoding depends on: types, items and properties. */

import type { Coercion, Json, ScalarType } from '@concordat/runtime';
import { type ApplicatorKeyword, once } from '@concordat/runtime/parts';
import type { SchemaNode } from '../schemas/contract-schemas.js';
import type { SchemaObject } from '../schemas/document.js';
import { isExactInteger } from '../schemas/value-types.js';

const SCALARS: readonly string[] = ['null', 'boolean', 'exact', 'integer', 'number', 'string'];

/** The coercion of a schema. A schema without types leaves text unchanged. */
export function coercionOf(node: SchemaNode): Coercion {
  return once(node, readCoercion);
}

function readCoercion(node: SchemaNode): Coercion {
  return simplify(shapesOf(node, new Set()));
}

/** Every shape that a schema allows; empty if it does not restrict the shape. */
function shapesOf({ target: node }: SchemaNode, seen: ReadonlySet<SchemaNode>): readonly Coercion[] {
  // A recursive schema has no finite text form, so the inner value is JSON text.
  if (seen.has(node)) return [{ type: 'json' }];
  const within = new Set(seen).add(node);
  const own = ownShapes(node, within);
  if (own.length > 0) return own;
  const { oneOf, anyOf } = node.object;
  if ((oneOf ?? anyOf) === undefined) return inheritedShapes(node, within);
  return node.under(oneOf ? 'oneOf' : 'anyOf').flatMap((branch) => shapesOf(branch, within));
}

function inheritedShapes(node: SchemaNode, seen: ReadonlySet<SchemaNode>): readonly Coercion[] {
  return mergeAll(node.under('allOf').map((part) => shapesOf(part, seen)));
}

function ownShapes(node: SchemaNode, seen: ReadonlySet<SchemaNode>): readonly Coercion[] {
  return typesOf(node.object).flatMap((type): readonly Coercion[] => {
    if (type === 'array') {
      const inherited = inheritedShapes(node, seen).find((shape) => 'items' in shape);
      const items = inherited && 'items' in inherited ? inherited.items : simplify([]);
      return [{ type, items: innerShape(node, 'items', seen) ?? items }];
    }
    if (type === 'object') return [objectOf(node, seen)];
    if (type !== 'null' && isExactInteger(node.leaf)) return [{ type: 'exact' }];
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

/** The shape of the schema that a keyword holds. */
function innerShape(
  node: SchemaNode,
  keyword: ApplicatorKeyword,
  seen: ReadonlySet<SchemaNode>,
): Coercion | undefined {
  const [part] = node.under(keyword);
  return part && simplify(shapesOf(part, seen));
}

function objectOf(node: SchemaNode, seen: ReadonlySet<SchemaNode>): Coercion {
  const properties = Object.fromEntries(
    node.under('properties').map((part) => [String(part.key), simplify(shapesOf(part, seen))]),
  );
  const inherited = inheritedShapes(node, seen).find((shape) => 'properties' in shape);
  // If `additionalProperties` is given, it evaluates every property, and `unevaluatedProperties` applies to none.
  const keyword =
    node.object.additionalProperties === undefined ? 'unevaluatedProperties' : 'additionalProperties';
  const additional = typeof node.object[keyword] === 'object' ? innerShape(node, keyword, seen) : undefined;
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

/**
 * The alternatives of a schema's values other than null, each with every schema that describes it: references and compositions are
 * followed, so that a schema is a file, a text or a list also where it is named, extended or optional.
 */
export function descriptionsOf(node: SchemaNode): readonly (readonly SchemaNode[])[] {
  return once(node, (start) => readDescriptions(start, new Set()));
}

function readDescriptions(node: SchemaNode, seen: Set<unknown>): readonly (readonly SchemaNode[])[] {
  // Shared by all alternatives: a schema that several lead to adds nothing the second time.
  if (seen.has(node.schema)) return [];
  seen.add(node.schema);
  const own = node.certain.length === 0 ? [node] : node.certain;
  const members = own
    .map((each) => [...each.under('oneOf'), ...each.under('anyOf')].filter(mayBeOther))
    .find((each) => each.length > 0);
  const alternatives = (members ?? []).flatMap((member) => readDescriptions(member, seen));
  return alternatives.length === 0 ? [own] : alternatives.map((each) => [...own, ...each]);
}

/** Whether a schema may accept values other than null. */
function mayBeOther({ certain }: SchemaNode): boolean {
  return !certain.some(({ object: { type } }) => String(type) === 'null');
}

/** The schema of the items of a list. */
export function itemsOf(description: readonly SchemaNode[]): SchemaNode | undefined {
  return description.flatMap((node) => node.under('items'))[0];
}

/** A schema of a property. */
export interface Property {
  readonly node: SchemaNode;
  /** Whether it applies to every value, and not only to one alternative. */
  readonly isCertain: boolean;
}

/** The properties of a schema by name, each with every schema that describes it. */
export function propertiesOf(node: SchemaNode): ReadonlyMap<string, readonly Property[]> {
  return once(node, readProperties);
}

function readProperties(root: SchemaNode): ReadonlyMap<string, readonly Property[]> {
  const properties = new Map<string, Property[]>();
  const seen = new Set<SchemaNode>();
  const gather = ({ target: node }: SchemaNode, isCertain: boolean): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const property of node.under('properties')) {
      const name = String(property.key);
      properties.set(name, [...(properties.get(name) ?? []), { node: property, isCertain }]);
    }
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const)
      for (const member of node.under(keyword)) gather(member, isCertain && keyword === 'allOf');
  };
  gather(root, true);
  return properties;
}
