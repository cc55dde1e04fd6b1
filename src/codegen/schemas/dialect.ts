/** The keywords that each version of OpenAPI knows in a schema, and the shape their values must have. */
import { words } from '../text/identifiers.js';
import { isObject, type OpenApiDocument } from './document.js';

/** The kinds of keywords that the compiler distinguishes. */
export type Keyword =
  /** Does not decide which values are valid. The schemas that it holds apply only through references. */
  | { readonly kind: 'annotation'; readonly holds?: Applicator['holds'] }
  /** Checks the value itself. `expects` completes the sentence "must be …". */
  | { readonly kind: 'assertion'; readonly valid: (value: unknown) => boolean; readonly expects: string }
  /** Holds schemas. */
  | Applicator;

export interface Applicator {
  readonly kind: 'applicator';
  readonly holds: 'one' | 'list' | 'map';
  /** True when its schemas apply to the same value, false when they apply to a property or an item of it. */
  readonly inPlace: boolean;
  /** True when a value may be valid although one of these schemas fails, so that nothing may be inserted while they are tried. */
  readonly tentative: boolean;
}

/** The schema language of one OpenAPI version. */
export interface Dialect {
  readonly version: '3.0' | '3.1' | '3.2';
  readonly keywords: ReadonlyMap<string, Keyword>;
}

/** The schema language of a document. @throws when the document is not OpenAPI 3.0, 3.1 or 3.2 */
export function dialectOf(document: OpenApiDocument): Dialect {
  if (document.openapi.startsWith('3.0.')) return { version: '3.0', keywords: OPENAPI_30 };
  if (document.openapi.startsWith('3.1.')) return { version: '3.1', keywords: OPENAPI_31 };
  if (document.openapi.startsWith('3.2.')) return { version: '3.2', keywords: OPENAPI_31 };
  throw new Error(`openapi: ${document.openapi} is none of 3.0, 3.1 and 3.2`);
}

const annotation: Keyword = { kind: 'annotation' };
const child = (holds: Applicator['holds'], tentative = false): Keyword => ({
  kind: 'applicator',
  holds,
  inPlace: false,
  tentative,
});
const inPlace = (holds: Applicator['holds'], tentative: boolean): Keyword => ({
  kind: 'applicator',
  holds,
  inPlace: true,
  tentative,
});
const assertion = (expects: string, valid: (value: unknown) => boolean): Keyword => ({
  kind: 'assertion',
  valid,
  expects,
});

/** One definition for several keywords. */
const each = (keyword: Keyword, names: string): readonly (readonly [string, Keyword])[] =>
  words(names).map((name) => [name, keyword]);

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isString = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString);
const isOneOf =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && names.includes(value);

const boolean = assertion('a boolean', isBoolean);
const number = assertion('a number', isNumber);
const string = assertion('a string', isString);
const count = assertion('a non-negative integer', (value) => Number.isInteger(value) && Number(value) >= 0);

/** The JSON Schema keywords of OpenAPI 3.0 (3.0.3, "Schema Object"), and the annotations of both versions. */
const BOTH: readonly (readonly [string, Keyword])[] = [
  ...each(annotation, 'title description default deprecated example externalDocs xml readOnly writeOnly'),
  ...each(string, '$ref pattern format'),
  ...each(number, 'maximum minimum'),
  ...each(count, 'maxLength minLength maxItems minItems maxProperties minProperties'),
  ['uniqueItems', boolean],
  ['multipleOf', assertion('a positive number', (value) => isNumber(value) && Number(value) > 0)],
  ['required', assertion('a list of property names', isStrings)],
  ['enum', assertion('a list of at least one value', (value) => Array.isArray(value) && value.length > 0)],
  [
    'discriminator',
    assertion('an object with a propertyName', (value) => isObject(value) && isString(value['propertyName'])),
  ],
  ['properties', child('map')],
  ...each(child('one'), 'additionalProperties items'),
  ['allOf', inPlace('list', false)],
  ...each(inPlace('list', true), 'anyOf oneOf'),
  ['not', inPlace('one', true)],
];

const OPENAPI_30: ReadonlyMap<string, Keyword> = new Map([
  ...BOTH,
  ['nullable', boolean],
  ['type', assertion(`one of ${TYPES.join(', ')}`, isOneOf(TYPES))],
  ...each(boolean, 'exclusiveMaximum exclusiveMinimum'),
]);

const isType = isOneOf([...TYPES, 'null']);

/** JSON Schema 2020-12: Core, Applicator, Unevaluated, Validation, Meta-Data, Format and Content vocabularies. */
const OPENAPI_31: ReadonlyMap<string, Keyword> = new Map([
  ...BOTH,
  ['$dynamicRef', string],
  ...each(annotation, '$comment $schema $anchor $dynamicAnchor $id $vocabulary examples'),
  ...each(annotation, 'contentEncoding contentMediaType'),
  ...each({ kind: 'annotation', holds: 'map' }, '$defs definitions'),
  ['contentSchema', { kind: 'annotation', holds: 'one' }],
  [
    'type',
    assertion(
      `one or several of ${TYPES.join(', ')} and null`,
      (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    ),
  ],
  ['const', assertion('a value', () => true)],
  // An empty list is allowed, and accepts nothing (Validation §6.1.2).
  ['enum', assertion('a list of values', Array.isArray)],
  ...each(number, 'exclusiveMaximum exclusiveMinimum'),
  ...each(count, 'minContains maxContains'),
  [
    'dependentRequired',
    assertion(
      'an object of lists of property names',
      (value) => isObject(value) && Object.values(value).every(isStrings),
    ),
  ],
  ['prefixItems', child('list')],
  ['patternProperties', child('map')],
  ...each(child('one', true), 'contains propertyNames'),
  ...each(child('one'), 'unevaluatedItems unevaluatedProperties'),
  ['dependentSchemas', inPlace('map', false)],
  // From older drafts; 2020-12 allows implementations to support it (Validation, Appendix A).
  ['dependencies', inPlace('map', false)],
  ['if', inPlace('one', true)],
  ...each(inPlace('one', false), 'then else'),
]);

/** The shape in which a keyword of JSON Schema 2020-12 holds schemas; undefined if it holds none. */
export function holderOf(keyword: string): Applicator['holds'] | undefined {
  const known = OPENAPI_31.get(keyword);
  return known === undefined || known.kind === 'assertion' ? undefined : known.holds;
}

/** The dialects that mean 2020-12 with OpenAPI's annotations. The loader has already applied dialects that have their own meta-schema. */
export const KNOWN_DIALECTS: ReadonlySet<string> = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
  'https://spec.openapis.org/oas/3.1/dialect/2024-10-25',
  'https://spec.openapis.org/oas/3.1/dialect/2024-11-10',
  'https://spec.openapis.org/oas/3.2/dialect/2025-09-17',
]);
