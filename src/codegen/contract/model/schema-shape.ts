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
  const whole = new ShapeWalk(node, Infinity);
  if (!whole.isOver) return whole.coercion;
  let found = new ShapeWalk(node, 1);
  for (let depth = 2; ; depth += 1) {
    const deeper = new ShapeWalk(node, depth);
    if (deeper.isOver) return found.coercion;
    found = deeper;
  }
}

/** How often a coercion describes a schema that it describes at another place as well: schemas that refer to each other have factorially many places. */
const MOST_REPEATED = 200;

const JSON_TEXT: Coercion = { type: 'json' };

/** Walks over the places of a value. Inner values below a depth are JSON text. */
class ShapeWalk {
  readonly #isBound: boolean;
  readonly coercion: Coercion;
  #repeated = 0;
  readonly #known = new Set<SchemaNode>();
  /** The schemas around the current one. */
  readonly #around = new Set<SchemaNode>();
  /** The shapes of the schemas of the current place. */
  #here = new Map<SchemaNode, readonly Coercion[]>();

  /** @param left - how many levels of arrays and objects are described below the outermost; 1 has no other bound */
  constructor(
    node: SchemaNode,
    private left: number,
  ) {
    this.#isBound = left > 1;
    this.coercion = simplify(this.#shapesOf(node));
  }

  /** Whether there are too many places to describe. */
  get isOver(): boolean {
    return this.#isBound && this.#repeated > MOST_REPEATED;
  }

  /** Every shape that a schema allows; empty if it does not restrict the shape. */
  #shapesOf({ target: node }: SchemaNode): readonly Coercion[] {
    // A recursive schema has no finite text form, so the inner value is JSON text.
    if (this.#around.has(node)) return [JSON_TEXT];
    const known = this.#here.get(node);
    if (known !== undefined) return known;
    this.#around.add(node);
    const shapes = this.#read(node);
    this.#around.delete(node);
    this.#here.set(node, shapes);
    return shapes;
  }

  #read(node: SchemaNode): readonly Coercion[] {
    const own = this.#ownShapes(node);
    if (own.length > 0) return own;
    const { oneOf, anyOf } = node.object;
    if ((oneOf ?? anyOf) === undefined) return this.#inheritedShapes(node);
    const branches = node.under(oneOf ? 'oneOf' : 'anyOf');
    return [...new Set(branches.flatMap((branch) => this.#shapesOf(branch)))];
  }

  #inheritedShapes(node: SchemaNode): readonly Coercion[] {
    return mergeAll(node.under('allOf').map((part) => this.#shapesOf(part)));
  }

  #ownShapes(node: SchemaNode): readonly Coercion[] {
    return typesOf(node.object).flatMap((type): readonly Coercion[] => {
      if (type === 'array' || type === 'object') return [this.#composite(node, type)];
      if (type !== 'null' && isExactInteger(node.leaf)) return [{ type: 'exact' }];
      return SCALARS.includes(type) ? [{ type: type as ScalarType }] : [];
    });
  }

  #composite(node: SchemaNode, type: 'array' | 'object'): Coercion {
    if (this.#known.has(node)) this.#repeated += 1;
    this.#known.add(node);
    if (this.left < 0 || this.isOver) return JSON_TEXT;
    if (type === 'object') return this.#objectOf(node);
    const inherited = this.#inheritedShapes(node).find((shape) => 'items' in shape);
    const items = inherited && 'items' in inherited ? inherited.items : simplify([]);
    return { type, items: this.#under(node, 'items') ?? items };
  }

  /** The shape of a schema at a place inside the current one. */
  #inside(node: SchemaNode): Coercion {
    const here = this.#here;
    this.#here = new Map();
    this.left -= 1;
    const shape = simplify(this.#shapesOf(node));
    this.left += 1;
    this.#here = here;
    return shape;
  }

  /** The shape of the schema that a keyword holds. */
  #under(node: SchemaNode, keyword: ApplicatorKeyword): Coercion | undefined {
    const [part] = node.under(keyword);
    return part && this.#inside(part);
  }

  #objectOf(node: SchemaNode): Coercion {
    const properties = Object.fromEntries(
      node.under('properties').map((part) => [String(part.key), this.#inside(part)]),
    );
    const inherited = this.#inheritedShapes(node).find((shape) => 'properties' in shape);
    // If `additionalProperties` is given, it evaluates every property, and `unevaluatedProperties` applies to none.
    const keyword =
      node.object.additionalProperties === undefined ? 'unevaluatedProperties' : 'additionalProperties';
    const additional = typeof node.object[keyword] === 'object' ? this.#under(node, keyword) : undefined;
    return {
      type: 'object',
      properties: { ...(inherited && 'properties' in inherited ? inherited.properties : {}), ...properties },
      ...(additional && { additional }),
    };
  }
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
