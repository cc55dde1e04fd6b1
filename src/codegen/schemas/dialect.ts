/** The keywords that each version of OpenAPI knows in a schema, and the shape their values must have. */
import { isObject, type OpenApiDocument } from './document.js';

/** How the compiler treats a keyword. */
export type Keyword =
  /** Does not decide which values are valid. */
  | { readonly kind: 'annotation' }
  /** Checks the value itself. `expects` completes the sentence "must be …". */
  | { readonly kind: 'assertion'; readonly valid: (value: unknown) => boolean; readonly expects: string }
  /** Holds schemas. */
  | Applicator;

/** A keyword that holds schemas. */
export interface Applicator {
  readonly kind: 'applicator';
  readonly holds: 'one' | 'list' | 'map';
  /** True when its schemas apply to the same value, false when they apply to a property or an item of it. */
  readonly inPlace: boolean;
  /** True when the schema may hold although one of these schemas fails, so that nothing may be inserted while they are tried. */
  readonly tentative: boolean;
}

/** The schema language of one OpenAPI version. */
export interface Dialect {
  readonly version: '3.0' | '3.1' | '3.2';
  readonly keywords: ReadonlyMap<string, Keyword>;
}

/**
 * The schema language of a document.
 *
 * @throws when the document is none of OpenAPI 3.0, 3.1 and 3.2
 */
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
  ['$ref', string],
  ['title', annotation],
  ['description', annotation],
  ['default', annotation],
  ['deprecated', annotation],
  ['example', annotation],
  ['externalDocs', annotation],
  ['xml', annotation],
  ['readOnly', annotation],
  ['writeOnly', annotation],
  ['multipleOf', assertion('a positive number', (value) => isNumber(value) && Number(value) > 0)],
  ['maximum', number],
  ['minimum', number],
  ['maxLength', count],
  ['minLength', count],
  ['pattern', string],
  ['maxItems', count],
  ['minItems', count],
  ['uniqueItems', boolean],
  ['maxProperties', count],
  ['minProperties', count],
  ['required', assertion('a list of property names', isStrings)],
  ['enum', assertion('a list of at least one value', (value) => Array.isArray(value) && value.length > 0)],
  ['format', string],
  [
    'discriminator',
    assertion('an object with a propertyName', (value) => isObject(value) && isString(value['propertyName'])),
  ],
  ['properties', child('map')],
  ['additionalProperties', child('one')],
  ['items', child('one')],
  ['allOf', inPlace('list', false)],
  ['anyOf', inPlace('list', true)],
  ['oneOf', inPlace('list', true)],
  ['not', inPlace('one', true)],
];

const OPENAPI_30: ReadonlyMap<string, Keyword> = new Map([
  ...BOTH,
  ['nullable', boolean],
  ['type', assertion(`one of ${TYPES.join(', ')}`, isOneOf(TYPES))],
  ['exclusiveMaximum', boolean],
  ['exclusiveMinimum', boolean],
]);

const isType = isOneOf([...TYPES, 'null']);

/** JSON Schema 2020-12: Core, Applicator, Unevaluated, Validation, Meta-Data, Format and Content vocabularies. */
const OPENAPI_31: ReadonlyMap<string, Keyword> = new Map([
  ...BOTH,
  ['$dynamicRef', string],
  ['$comment', annotation],
  ['$schema', annotation],
  ['$anchor', annotation],
  ['$dynamicAnchor', annotation],
  ['$id', annotation],
  ['$vocabulary', annotation],
  // Schemas that only references reach: they are compiled where they are used.
  ['$defs', annotation],
  ['definitions', annotation],
  ['examples', annotation],
  ['contentEncoding', annotation],
  ['contentMediaType', annotation],
  ['contentSchema', annotation],
  [
    'type',
    assertion(
      `one or several of ${TYPES.join(', ')} and null`,
      (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    ),
  ],
  ['const', assertion('a value', () => true)],
  // An empty one is allowed, and accepts nothing (Validation §6.1.2).
  ['enum', assertion('a list of values', Array.isArray)],
  ['exclusiveMaximum', number],
  ['exclusiveMinimum', number],
  ['minContains', count],
  ['maxContains', count],
  [
    'dependentRequired',
    assertion(
      'an object of lists of property names',
      (value) => isObject(value) && Object.values(value).every(isStrings),
    ),
  ],
  ['prefixItems', child('list')],
  ['contains', child('one', true)],
  ['patternProperties', child('map')],
  ['propertyNames', child('one', true)],
  ['unevaluatedItems', child('one')],
  ['unevaluatedProperties', child('one')],
  ['dependentSchemas', inPlace('map', false)],
  // From older drafts; 2020-12 allows implementations to support it (Validation, Appendix A).
  ['dependencies', inPlace('map', false)],
  ['if', inPlace('one', true)],
  ['then', inPlace('one', false)],
  ['else', inPlace('one', false)],
]);
