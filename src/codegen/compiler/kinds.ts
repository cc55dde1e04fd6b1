/** The kinds of JSON value that a variable can hold at one point of a generated function. */
import type { JsonType } from 'concordat';
import type { LinkedSchema, SchemaObject } from './linked-schema.js';

export type Kinds = ReadonlySet<JsonType>;

export const ANY_KIND: Kinds = new Set(['null', 'boolean', 'number', 'string', 'array', 'object']);

/**
 * The types that a schema lists, including `integer`; without a list, those of a schema in its `allOf`, so that a kind that is known early
 * is not tested again.
 */
export function typesOf({ type, allOf }: SchemaObject): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type as readonly string[];
  for (const each of Array.isArray(allOf) ? (allOf as readonly LinkedSchema[]) : []) {
    const types = typeof each === 'object' ? typesOf(each) : undefined;
    if (types !== undefined) return types;
  }
  return undefined;
}

/** The kinds that remain after a schema's `type`. */
export function narrowed(kinds: Kinds, schema: SchemaObject): Kinds {
  const types = typesOf(schema)?.map((type) => (type === 'integer' ? 'number' : type));
  return types === undefined ? kinds : new Set([...kinds].filter((kind) => types.includes(kind)));
}

/** True when only one kind is possible. */
export function only(kinds: Kinds, kind: JsonType): boolean {
  return kinds.size === 1 && kinds.has(kind);
}
