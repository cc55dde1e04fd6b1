/** The JSON types that a schema allows. */

import type { JsonType } from '../contract/keywords.js';
import { isObject } from './json-value.js';

type JsonObject = Readonly<Record<string, unknown>>;

const ALL = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;

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
  if (!isObject(schema)) return new Set(ALL);
  const found = known.get(schema);
  if (found !== undefined) return found;
  // A schema that contains itself does not limit the types by that.
  known.set(schema, new Set(ALL));
  const below = (each: unknown): ReadonlySet<JsonType> => typesOf(each, follow, known);
  const either = (list: unknown): Iterable<JsonType> =>
    Array.isArray(list) && list.length > 0 ? list.flatMap((each) => [...below(each)]) : ALL;
  const { type, allOf, anyOf, oneOf, not, $ref } = schema;
  const named = [type].flat().map((each) => (each === 'integer' ? 'number' : each)) as JsonType[];
  const rules: readonly Iterable<JsonType>[] = [
    type === undefined ? ALL : named,
    'const' in schema ? [typeOf(schema['const'])] : ALL,
    Array.isArray(schema['enum']) ? schema['enum'].map(typeOf) : ALL,
    typeof $ref === 'string' ? below(follow($ref)) : ALL,
    either(anyOf),
    either(oneOf),
    // `not: {}` means the same as `false`.
    not === true || (isObject(not) && Object.keys(not).length === 0) ? [] : ALL,
    ...(Array.isArray(allOf) ? allOf.map(below) : []),
  ];
  const sets = rules.map((rule) => new Set(rule));
  const types = new Set(ALL.filter((each) => sets.every((set) => set.has(each))));
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
