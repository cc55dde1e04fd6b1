/**
 * The closed union of the keywords of schemas (JSON Schema 2020-12, and the Schema Objects of OpenAPI 3.0 to 3.2), in groups. Each
 * table of keywords is total over the union or over one of the groups.
 */

/** A type of JSON values. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** The facts about a keyword that checks values. */
export interface KeywordRow {
  /** The type of the values that the keyword restricts; absent if it restricts values of several types. */
  readonly type?: JsonType;
}

/** A keyword that limits a number of a value at one end. */
export interface LimitRow extends KeywordRow {
  readonly end: 'least' | 'most';
  /** Holds between the number of a valid value and the limit. */
  readonly comparison: Comparison;
}

/** The limits of a number itself. */
export const BOUNDS = {
  maximum: { type: 'number', end: 'most', comparison: '<=' },
  minimum: { type: 'number', end: 'least', comparison: '>=' },
  exclusiveMaximum: { type: 'number', end: 'most', comparison: '<' },
  exclusiveMinimum: { type: 'number', end: 'least', comparison: '>' },
} as const satisfies Readonly<Record<string, LimitRow>>;

export type Comparison = '<=' | '>=' | '<' | '>';

/** The limits of the size of a value, in its units. */
export const COUNTS = {
  maxLength: { type: 'string', end: 'most', comparison: '<=', unit: 'characters' },
  minLength: { type: 'string', end: 'least', comparison: '>=', unit: 'characters' },
  maxItems: { type: 'array', end: 'most', comparison: '<=', unit: 'items' },
  minItems: { type: 'array', end: 'least', comparison: '>=', unit: 'items' },
  maxProperties: { type: 'object', end: 'most', comparison: '<=', unit: 'properties' },
  minProperties: { type: 'object', end: 'least', comparison: '>=', unit: 'properties' },
} as const satisfies Readonly<Record<string, LimitRow & { readonly unit: string }>>;

/** The keywords that check a value and hold no schemas. */
export const ASSERTIONS = {
  type: {},
  const: {},
  enum: {},
  format: {},
  ...BOUNDS,
  multipleOf: { type: 'number' },
  ...COUNTS,
  pattern: { type: 'string' },
  uniqueItems: { type: 'array' },
  maxContains: { type: 'array' },
  minContains: { type: 'array' },
  required: { type: 'object' },
  dependentRequired: { type: 'object' },
} as const satisfies Readonly<Record<string, KeywordRow>>;

/** The keywords that apply schemas. */
export interface ApplicatorRow extends KeywordRow {
  readonly holds: 'one' | 'list' | 'map';
  /** The values to which its schemas apply: the value itself, its items, its properties, or the names of these. */
  readonly appliesTo: 'value' | 'items' | 'properties' | 'names';
  /** Whether a value may be valid although one of these schemas fails, so that nothing may be inserted while they are tried. */
  readonly isTentative: boolean;
}

export const APPLICATORS = {
  allOf: { holds: 'list', appliesTo: 'value', isTentative: false },
  anyOf: { holds: 'list', appliesTo: 'value', isTentative: true },
  oneOf: { holds: 'list', appliesTo: 'value', isTentative: true },
  not: { holds: 'one', appliesTo: 'value', isTentative: true },
  if: { holds: 'one', appliesTo: 'value', isTentative: true },
  then: { holds: 'one', appliesTo: 'value', isTentative: false },
  else: { holds: 'one', appliesTo: 'value', isTentative: false },
  dependentSchemas: { type: 'object', holds: 'map', appliesTo: 'value', isTentative: false },
  properties: { type: 'object', holds: 'map', appliesTo: 'properties', isTentative: false },
  patternProperties: { type: 'object', holds: 'map', appliesTo: 'properties', isTentative: false },
  additionalProperties: { type: 'object', holds: 'one', appliesTo: 'properties', isTentative: false },
  unevaluatedProperties: { type: 'object', holds: 'one', appliesTo: 'properties', isTentative: false },
  propertyNames: { type: 'object', holds: 'one', appliesTo: 'names', isTentative: true },
  items: { type: 'array', holds: 'one', appliesTo: 'items', isTentative: false },
  prefixItems: { type: 'array', holds: 'list', appliesTo: 'items', isTentative: false },
  unevaluatedItems: { type: 'array', holds: 'one', appliesTo: 'items', isTentative: false },
  contains: { type: 'array', holds: 'one', appliesTo: 'items', isTentative: true },
} as const satisfies Readonly<Record<string, ApplicatorRow>>;

export type BoundKeyword = keyof typeof BOUNDS;
export type CountKeyword = keyof typeof COUNTS;
export type AssertionKeyword = keyof typeof ASSERTIONS;
export type ApplicatorKeyword = keyof typeof APPLICATORS;

/** The applicators whose schemas apply to the value itself, to its items, to its properties, or to the names of these. */
export type ApplicatorTo<Target extends ApplicatorRow['appliesTo']> = {
  [K in ApplicatorKeyword]: (typeof APPLICATORS)[K]['appliesTo'] extends Target ? K : never;
}[ApplicatorKeyword];

/** The keywords that decide which values are valid, after a dialect has been read. */
export type CheckedKeyword = '$ref' | AssertionKeyword | ApplicatorKeyword;

/** The keywords that the reading of a dialect translates into others. */
type TranslatedKeyword = '$dynamicRef' | 'dependencies' | 'discriminator' | 'nullable';

/** The keywords that do not decide which values are valid. */
type AnnotationKeyword =
  | '$anchor'
  | '$comment'
  | '$defs'
  | '$dynamicAnchor'
  | '$id'
  | '$schema'
  | '$vocabulary'
  | 'contentEncoding'
  | 'contentMediaType'
  | 'contentSchema'
  | 'default'
  | 'definitions'
  | 'deprecated'
  | 'description'
  | 'example'
  | 'examples'
  | 'externalDocs'
  | 'readOnly'
  | 'title'
  | 'writeOnly'
  | 'xml';

export type Keyword = CheckedKeyword | TranslatedKeyword | AnnotationKeyword;

type Rows = Readonly<Partial<Record<Keyword, KeywordRow>>>;

/** The type of the values that a keyword restricts; undefined if it restricts values of several types, or none. */
export function restrictedType(keyword: Keyword): JsonType | undefined {
  // Without a table of both, bundles of engines can leave the applicators out.
  return ((ASSERTIONS as Rows)[keyword] ?? (APPLICATORS as Rows)[keyword])?.type;
}

/** A table with one row for each keyword of a group. */
export function tableOf<K extends string, Row>(
  group: Readonly<Record<K, unknown>>,
  row: (keyword: K) => Row,
): Readonly<Record<K, Row>> {
  const rows = Object.keys(group).map((keyword) => [keyword, row(keyword as K)]);
  return Object.fromEntries(rows) as Record<K, Row>;
}

/** The rows of several keywords that have the same row. */
export function sameRow<K extends Keyword, Row>(
  row: Row,
  ...keywords: readonly K[]
): Readonly<Record<K, Row>> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, row])) as Record<K, Row>;
}
