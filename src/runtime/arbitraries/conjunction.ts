/** Splits schemas that must all hold for one value into parts, and finds the alternatives, types and bounds of these. */

import type { Check } from '../contract/contract.js';
import type { CheckedSchema, SchemaKeywords } from '../failures/failure.js';

/** Schemas that must all hold. */
export type Schemas = readonly CheckedSchema[];

/** The same schemas, without references and `allOf`. */
export type Parts = readonly SchemaKeywords[];

const schemas = new WeakMap<Check, CheckedSchema>();

/** The schema of a check; `true` for a check without one. */
export function schemaOf(check: Check): CheckedSchema {
  const known = schemas.get(check) ?? ((check.schema?.() ?? true) as CheckedSchema);
  if (check.schema !== undefined) schemas.set(check, known);
  return known;
}

/** The check that schemas refer to, if they are one reference and nothing else. */
export function referenceIn(schemas: Schemas): Check | undefined {
  const [only] = schemas;
  if (schemas.length !== 1 || typeof only !== 'object' || Object.keys(only).length !== 1) return undefined;
  return typeof only['$ref'] === 'function' ? (only['$ref'] as unknown as Check) : undefined;
}

/** The parts of schemas; undefined if one of them excludes every value. */
export function partsOf(all: Schemas, seen: readonly CheckedSchema[] = []): Parts | undefined {
  const parts: SchemaKeywords[] = [];
  for (const schema of all) {
    if (schema === true || seen.includes(schema)) continue;
    // Schemas have these flags only where the direction excludes the property.
    if (schema === false || 'readOnly' in schema || 'writeOnly' in schema) return undefined;
    const { $ref, allOf = [], ...own } = schema;
    const inner = [
      ...(allOf as Schemas),
      ...(typeof $ref === 'function' ? [schemaOf($ref as unknown as Check)] : []),
    ];
    const within = partsOf(inner, [...seen, schema]);
    if (within === undefined) return undefined;
    parts.push(...within);
    if (Object.keys(own).length > 0) parts.push(own);
  }
  return parts;
}

/** The parts with each alternative of the first keyword that has alternatives; undefined if no keyword has any. */
export function choicesOf(parts: Parts): readonly Schemas[] | undefined {
  for (const part of parts) {
    for (const [keyword, alternativesOf] of Object.entries(ALTERNATIVES)) {
      if (!(keyword in part)) continue;
      const { [keyword]: value, ...own } = part;
      const others = parts
        .map((each) => (each === part ? own : each))
        .filter((each) => Object.keys(each).length > 0);
      return alternativesOf(value, part).map((alternative) => [...others, ...alternative]);
    }
  }
  return undefined;
}

type Keyed = Readonly<Record<string, unknown>>;

/** The keywords that allow several shapes of a value, with their alternatives. */
const ALTERNATIVES: Readonly<Record<string, (value: unknown, part: SchemaKeywords) => readonly Schemas[]>> = {
  anyOf: (value) => (value as Schemas).map((each) => [each]),
  oneOf: (value) => (value as Schemas).map((each) => [each]),
  nullOr: (value) => [[value as CheckedSchema], [{ type: 'null' }]],
  if: (value, part) => [
    [value as CheckedSchema, (part['then'] ?? true) as CheckedSchema],
    [{ not: value }, (part['else'] ?? true) as CheckedSchema],
  ],
  dispatch: (value, part) => {
    const { property, values } = part['dispatchOn'] as {
      readonly property: string;
      readonly values: readonly (readonly unknown[])[];
    };
    return (value as Schemas).map((branch, index) => [
      { properties: { [property]: { enum: (values[index] ?? []).filter((each) => each !== undefined) } } },
      branch,
    ]);
  },
  dependentSchemas: (value) =>
    dependent(
      value as Keyed,
      (schema) => schema as CheckedSchema,
      (rest) => ({ dependentSchemas: rest }),
    ),
  dependentRequired: (value) =>
    dependent(
      value as Keyed,
      (required) => ({ required }),
      (rest) => ({ dependentRequired: rest }),
    ),
};

/** Two alternatives: without the first property of a map, or with it and its consequence. Both have the rest of the map. */
function dependent(
  map: Keyed,
  schemaOfEntry: (value: unknown) => CheckedSchema,
  again: (rest: Keyed) => CheckedSchema,
): readonly Schemas[] {
  const [first, ...others] = Object.entries(map);
  if (first === undefined) return [[]];
  const [name, value] = first;
  const rest = others.length === 0 ? true : again(Object.fromEntries(others));
  return [
    [{ properties: { [name]: false } }, rest],
    [{ required: [name] }, schemaOfEntry(value), rest],
  ];
}

const TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** The types that all parts allow; `integer` in place of `number` if one part requires it. */
export function typesOf(parts: Parts): readonly string[] {
  let types: readonly string[] | undefined;
  for (const { type } of parts) {
    if (type === undefined) continue;
    const own = (Array.isArray(type) ? type : [type]) as readonly string[];
    types = (types ?? TYPES).flatMap((each) => {
      if (own.includes(each)) return [each];
      if (each === 'integer' && own.includes('number')) return ['integer'];
      return each === 'number' && own.includes('integer') ? ['integer'] : [];
    });
  }
  return [...new Set(types ?? impliedTypes(parts))];
}

/** The types of parts that name none: the type that their keywords are for, or else three types with small values. */
function impliedTypes(parts: Parts): readonly string[] {
  const has = (...keywords: readonly string[]): boolean =>
    parts.some((part) => keywords.some((keyword) => keyword in part));
  if (has('properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'))
    return ['object'];
  if (has('items', 'prefixItems', 'minItems', 'contains')) return ['array'];
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number'];
  return has('pattern', 'minLength', 'maxLength', 'format') ? ['string'] : ['null', 'boolean', 'string'];
}

/** The tightest bound of a keyword. @param choose - `Math.max` for lower bounds, `Math.min` for upper ones */
export function boundOf(parts: Parts, keyword: string, choose: typeof Math.max): number | undefined {
  const given = parts.map((part) => part[keyword]).filter((each) => typeof each === 'number');
  return given.length === 0 ? undefined : choose(...given);
}
