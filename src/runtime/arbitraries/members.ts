/** Finds the schemas of the properties and items of a value, and the depth of its smallest value. */

import type { Check } from '../contract/contract.js';
import type { CheckedSchema } from '../failures/failure.js';
import { expression } from '../failures/assertion-failures.js';
import {
  type Parts,
  type Schemas,
  boundOf,
  choicesOf,
  partsOf,
  referenceIn,
  schemaOf,
  typesOf,
} from './conjunction.js';
import { listedValues } from './fitting.js';

type SchemaMap = Readonly<Record<string, CheckedSchema>>;

/** The schemas of a property. */
export function propertySchemas(parts: Parts, name: string): Schemas {
  return parts.flatMap((part): Schemas => {
    const { properties = {}, patternProperties = {}, additionalProperties = true } = part;
    const named = properties as SchemaMap;
    const found = [
      ...(Object.hasOwn(named, name) ? [named[name] ?? true] : []),
      ...Object.entries(patternProperties as SchemaMap).flatMap(([pattern, schema]) =>
        expression(pattern).test(name) ? [schema] : [],
      ),
    ];
    return found.length === 0 ? [additionalProperties as CheckedSchema] : found;
  });
}

/** The schemas of the item at an index. */
export function itemSchemas(parts: Parts, index: number): Schemas {
  const isClosed = parts.some(({ unevaluatedItems }) => unevaluatedItems === false);
  const others = isClosed && !parts.some((part) => 'items' in part) && index >= prefixLength(parts);
  if (others) return [false];
  return parts.map(({ prefixItems = [], items = true }) => {
    const prefix = prefixItems as Schemas;
    return index < prefix.length ? (prefix[index] ?? true) : (items as CheckedSchema);
  });
}

export function requiredNames(parts: Parts): ReadonlySet<string> {
  return new Set(parts.flatMap(({ required = [] }) => required as readonly string[]));
}

export function prefixLength(parts: Parts): number {
  return Math.max(0, ...parts.map(({ prefixItems = [] }) => (prefixItems as Schemas).length));
}

/** Deeper values are not made, because a schema that requires itself has no finite value. */
const DEEPEST = 16;

const heights = new WeakMap<Check, Map<number, number>>();

/** The number of levels below the smallest value; Infinity if no value has at most `most` levels. */
export function heightOf(schemas: Schemas, most = DEEPEST): number {
  const own = referenceIn(schemas);
  if (own === undefined) return measured(schemas, most);
  const known = heights.get(own) ?? new Map<number, number>();
  heights.set(own, known);
  const height = known.get(most) ?? measured([schemaOf(own)], most);
  known.set(most, height);
  return height;
}

function measured(schemas: Schemas, most: number): number {
  if (most < 0) return Infinity;
  const parts = partsOf(schemas);
  if (parts === undefined) return Infinity;
  const choices = choicesOf(parts);
  if (choices !== undefined) return Math.min(...choices.map((choice) => heightOf(choice, most)));
  const listed = listedValues(parts);
  if (listed !== undefined) return listed.length === 0 ? Infinity : 0;
  if (parts.some((part) => 'arbitrary' in part)) return 0;
  return Math.min(
    ...typesOf(parts).map((type) => {
      if (type === 'object')
        return highest(
          [...requiredNames(parts)].map((name) => propertySchemas(parts, name)),
          most,
        );
      if (type !== 'array') return 0;
      const least = boundOf(parts, 'minItems', Math.max) ?? 0;
      const contained = parts
        .filter((part) => 'contains' in part && part['minContains'] !== 0)
        .map((part) => part['contains'] as CheckedSchema);
      const needed = [...Array(Math.min(least, prefixLength(parts) + 1)).keys()];
      return highest(
        [...needed.map((index) => itemSchemas(parts, index)), ...contained.map((each) => [each])],
        most,
      );
    }),
  );
}

function highest(inner: readonly Schemas[], most: number): number {
  return Math.max(0, ...inner.map((each) => 1 + heightOf(each, most - 1)));
}
