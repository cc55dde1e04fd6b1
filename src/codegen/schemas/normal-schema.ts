/** What normalising makes: JSON Schema 2020-12 with a few keywords of our own, cut into units that are compiled once each. */
import type { LinkedSchema } from '../compiler/linked-schema.js';

/** A normalised schema: 2020-12's assertions and applicators, and the compiler's own keywords. */
export type NormalSchema = LinkedSchema;

/** What one schema of the document means in one kind of use. */
export interface Mode {
  /** `both` when the direction makes no difference. */
  readonly direction: 'request' | 'response' | 'both';
  /** True when absent properties get their defaults. */
  readonly defaults: boolean;
  /** True for a parent as its heirs see it: without its discriminator. */
  readonly base: boolean;
  /** Required names that are not required here, because the value they belong to hides them. */
  readonly unrequired: readonly string[];
}

/** A schema that becomes one function. */
export interface Unit {
  readonly id: string;
  /** Where the document holds it. */
  readonly at: string;
  readonly mode: Mode;
  readonly schema: NormalSchema;
}

/** How many keywords a schema may have to be copied where it is referred to, rather than called. */
const SMALL = 6;

/** Keywords of a normalised schema that hold schemas for parts of the value, and those that hold schemas for the value itself. */
const PART = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
];
const ITEM = ['items', 'prefixItems', 'unevaluatedItems', 'contains'];
const SAME = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'nullOr',
  'dispatch',
];
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const APPLICATORS: ReadonlySet<string> = new Set([...PART, ...ITEM, ...SAME, '$ref']);

/** The schemas inside a normalised schema; with `sameValue`, only those that apply to the value itself. */
export function* innerSchemas(schema: NormalSchema, sameValue = false): Generator<NormalSchema> {
  if (typeof schema === 'boolean') return;
  for (const keyword of sameValue ? SAME : [...PART, ...ITEM, ...SAME]) {
    const value = schema[keyword];
    if (value === undefined) continue;
    const inner = Array.isArray(value) ? value : MAPS.has(keyword) ? Object.values(value as object) : [value];
    yield* inner as readonly NormalSchema[];
  }
}

/** The same schema with other ids in its references. */
export function withReferences(schema: NormalSchema, idOf: (id: string) => string): NormalSchema {
  if (typeof schema === 'boolean') return schema;
  const inner = (value: unknown): NormalSchema => withReferences(value as NormalSchema, idOf);
  const rewritten = (keyword: string, value: unknown): unknown => {
    if (keyword === '$ref') return idOf(String(value));
    if (!APPLICATORS.has(keyword)) return value;
    if (Array.isArray(value)) return value.map(inner);
    if (!MAPS.has(keyword)) return inner(value);
    return Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, inner(member)]));
  };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, rewritten(keyword, value)]),
  );
}

/** The ids of the units that a schema refers to, anywhere in it or, with `sameValue`, for the value itself. */
export function* referredUnits(schema: NormalSchema, sameValue = false): Generator<string> {
  if (typeof schema === 'object' && typeof schema['$ref'] === 'string') yield schema['$ref'];
  for (const inner of innerSchemas(schema, sameValue)) yield* referredUnits(inner, sameValue);
}

/** True for a schema so simple that a call would cost more than a copy. */
export function isSmall(schema: NormalSchema): boolean {
  if (typeof schema === 'boolean') return true;
  const keywords = Object.keys(schema);
  return keywords.length <= SMALL && !keywords.some((keyword) => APPLICATORS.has(keyword));
}
