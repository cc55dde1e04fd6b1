/** The JSON types that a schema allows. */

import type { JsonType } from '../contract/keywords.js';
import { isObject } from './json-value.js';

type JsonObject = Readonly<Record<string, unknown>>;

const ALL: ReadonlySet<JsonType> = new Set(['null', 'boolean', 'number', 'string', 'array', 'object']);

/**
 * The types that a schema of JSON Schema 2020-12 allows; all types if the schema does not limit them.
 *
 * @param follow - the schema that a `$ref` leads to
 * @param known - the types of the schemas inside it
 */
export function typesOf(
  schema: unknown,
  follow: (reference: string) => unknown,
  known = new Map<JsonObject, ReadonlySet<JsonType>>(),
): ReadonlySet<JsonType> {
  if (schema === false) return new Set();
  if (!isObject(schema)) return ALL;
  const found = known.get(schema);
  if (found !== undefined) return found;
  // A schema that contains itself does not limit the types by that.
  known.set(schema, ALL);
  const below = (each: unknown): ReadonlySet<JsonType> => typesOf(each, follow, known);
  const types = new Set(ALL);
  const limit = (allowed: ReadonlySet<JsonType>): void => {
    for (const each of types) if (!allowed.has(each)) types.delete(each);
  };
  const { type, allOf, anyOf, oneOf, not, $ref, enum: values } = schema;
  if (type !== undefined)
    limit(new Set([type].flat().map((each) => (each === 'integer' ? 'number' : (each as JsonType)))));
  if ('const' in schema) limit(new Set([typeOf(schema['const'])]));
  if (Array.isArray(values)) limit(new Set(values.map(typeOf)));
  if (typeof $ref === 'string') limit(below(follow($ref)));
  for (const list of [anyOf, oneOf])
    if (Array.isArray(list) && list.length > 0) limit(new Set(list.flatMap((each) => [...below(each)])));
  for (const each of Array.isArray(allOf) ? (allOf as readonly unknown[]) : []) limit(below(each));
  // `not: {}` means the same as `false`.
  if (not === true || (isObject(not) && Object.keys(not).length === 0)) types.clear();
  known.set(schema, types);
  return types;
}

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}

/** Whether a schema has integers that a number cannot hold exactly; models send their digits as a string. */
export function isLong({ type, format }: JsonObject): boolean {
  return (format === 'int64' || format === 'uint64') && [type].flat().includes('integer');
}

/** The pattern of the strings of digits that tools add to such a schema. */
export const DIGITS = String.raw`^-?\d+$`;
