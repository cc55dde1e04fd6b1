/** The keywords of JSON Schema 2020-12 that hold schemas. */
import type { SchemaObject } from './linked-schema.js';

/** A schema inside another. */
export interface Subschema {
  readonly keyword: string;
  /** The steps from the outer schema. */
  readonly path: readonly (string | number)[];
  readonly schema: unknown;
}

/** How a keyword holds schemas; those of `$defs` apply only through references. */
export const HOLDERS: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'unevaluatedItems'].map(
    (name) => [name, 'one'] as const,
  ),
  ...['additionalProperties', 'propertyNames', 'unevaluatedProperties', 'contentSchema'].map(
    (name) => [name, 'one'] as const,
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name) => [name, 'list'] as const),
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'].map(
    (name) => [name, 'map'] as const,
  ),
]);

/** The schemas directly inside a schema. */
export function* subschemas(schema: SchemaObject): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    const holds = HOLDERS.get(keyword);
    if (holds === undefined) continue;
    if (holds === 'one') yield { keyword, path: [keyword], schema: value };
    else if (holds === 'list' && Array.isArray(value))
      for (const [index, each] of value.entries()) yield { keyword, path: [keyword, index], schema: each };
    else if (holds === 'map' && isObject(value))
      for (const [name, each] of Object.entries(value))
        yield { keyword, path: [keyword, name], schema: each };
  }
}

/** True for a JSON object: not null and not an array. */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
