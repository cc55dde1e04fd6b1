/**
 * The keywords that each version of OpenAPI knows in a schema, the shape that their values must have, and the keywords of each vocabulary of
 * JSON Schema 2020-12.
 */
import {
  APPLICATORS,
  ASSERTIONS,
  type ApplicatorKeyword,
  type ApplicatorRow,
  type Keyword,
  sameRow,
} from '@concordat/runtime/parts';
import { words } from '../../text/identifiers.js';
import { type Fields, elements, isObject, type OpenApiDocument } from './document.js';

/** The shape of a keyword's value. */
interface Shape {
  readonly isValid: (value: unknown) => boolean;
  /** Completes the sentence "must be …". */
  readonly expects: string;
  /** For a keyword that holds schemas, which apply through references alone if it is no applicator. */
  readonly holds?: 'one' | 'list' | 'map';
}

/** The schema language of one OpenAPI version. */
export interface Dialect {
  readonly version: '3.0' | '3.1' | '3.2';
  readonly keywords: ReadonlyMap<string, Shape>;
}

/** The schema language of a document. @throws when the document is not OpenAPI 3.0, 3.1 or 3.2 */
export function dialectOf(document: OpenApiDocument): Dialect {
  if (document.openapi.startsWith('3.0.')) return { version: '3.0', keywords: OPENAPI_30 };
  if (document.openapi.startsWith('3.1.')) return { version: '3.1', keywords: OPENAPI_31 };
  if (document.openapi.startsWith('3.2.')) return { version: '3.2', keywords: OPENAPI_31 };
  throw new Error(`openapi: ${document.openapi} is none of 3.0, 3.1 and 3.2`);
}

const shape = (expects: string, isValid: Shape['isValid']): Shape => ({ expects, isValid });

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isString = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString);
const areListsOfStrings = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every(isStrings);
const isOneOf =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && names.includes(value);

const anything = shape('a value', () => true);
const boolean = shape('a boolean', isBoolean);
const number = shape('a number', isNumber);
const string = shape('a string', isString);
const count = shape('a non-negative integer', (value) => Number.isInteger(value) && Number(value) >= 0);

/** The shapes that hold schemas. */
const HOLDERS: Readonly<Record<ApplicatorRow['holds'], Shape>> = {
  one: { ...anything, holds: 'one' },
  list: {
    expects: 'a list of at least one schema',
    isValid: (value) => elements(value).length > 0,
    holds: 'list',
  },
  map: { expects: 'an object of schemas', isValid: isObject, holds: 'map' },
};

/** The shape in 3.0, and from 3.1 on; undefined where the keyword is not known. */
type Shapes = readonly [in30: Shape | undefined, in31: Shape | undefined];

const both = (one: Shape): Shapes => [one, one];
const since31 = (one: Shape): Shapes => [undefined, one];

function applicators<K extends ApplicatorKeyword>(
  versions: (one: Shape) => Shapes,
  ...keywords: readonly K[]
): Readonly<Record<K, Shapes>> {
  const rows = keywords.map((keyword) => [keyword, versions(HOLDERS[APPLICATORS[keyword].holds])]);
  return Object.fromEntries(rows) as Record<K, Shapes>;
}

const isType = isOneOf([...TYPES, 'null']);

/** OpenAPI 3.0.3, "Schema Object"; from 3.1 on, JSON Schema 2020-12 with OpenAPI's annotations. */
const SHAPES: Readonly<Record<Keyword, Shapes>> = {
  ...sameRow(both(anything), 'title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly'),
  ...sameRow(both(anything), 'example', 'externalDocs', 'xml'),
  ...sameRow(since31(anything), '$comment', '$schema', '$anchor', '$dynamicAnchor', '$id', '$vocabulary'),
  ...sameRow(since31(anything), 'examples', 'contentEncoding', 'contentMediaType', 'const'),
  ...sameRow(both(string), '$ref', 'pattern', 'format'),
  $dynamicRef: since31(string),
  ...sameRow(both(number), 'maximum', 'minimum'),
  // The loader has replaced the flags of 3.0.
  ...sameRow([shape('a boolean', isNumber), number], 'exclusiveMaximum', 'exclusiveMinimum'),
  ...sameRow(both(count), 'maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'),
  ...sameRow(since31(count), 'minContains', 'maxContains'),
  uniqueItems: both(boolean),
  nullable: [boolean, undefined],
  multipleOf: both(shape('a positive number', (value) => isNumber(value) && Number(value) > 0)),
  required: both(shape('a list of property names', isStrings)),
  dependentRequired: since31(shape('an object of lists of property names', areListsOfStrings)),
  type: [
    shape(`one of ${TYPES.join(', ')}`, (value) => {
      const [type, ...others] = [value].flat();
      // The loader has replaced `nullable`.
      return isOneOf(TYPES)(type) && others.every((other) => other === 'null');
    }),
    shape(
      `one or several of ${TYPES.join(', ')} and null`,
      (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    ),
  ],
  enum: [
    shape('a list of at least one value', (value) => Array.isArray(value) && value.length > 0),
    // An empty list is allowed, and accepts nothing (Validation §6.1.2).
    shape('a list of values', Array.isArray),
  ],
  discriminator: both(
    shape('an object with a propertyName', (value) => isObject(value) && isString(value['propertyName'])),
  ),
  ...applicators(both, 'allOf', 'anyOf', 'oneOf', 'not', 'properties', 'additionalProperties', 'items'),
  ...applicators(since31, 'if', 'then', 'else', 'dependentSchemas', 'patternProperties', 'propertyNames'),
  ...applicators(since31, 'prefixItems', 'contains', 'unevaluatedItems', 'unevaluatedProperties'),
  // From older drafts; 2020-12 allows implementations to support it (Validation, Appendix A).
  dependencies: since31(HOLDERS.map),
  ...sameRow(since31({ ...anything, holds: 'map' }), '$defs', 'definitions'),
  contentSchema: since31(HOLDERS.one),
};

function keywordsOf(version: 0 | 1): Dialect['keywords'] {
  return new Map(
    Object.entries(SHAPES).flatMap(([keyword, { [version]: known }]) => (known ? [[keyword, known]] : [])),
  );
}

const OPENAPI_30 = keywordsOf(0);
const OPENAPI_31 = keywordsOf(1);

/**
 * The keyword that the author of an unknown one most likely means: one that restricts values in another version of OpenAPI, or a known one
 * that is a letter away.
 */
export function meantKeyword({ keywords }: Dialect, unknown: string): string | undefined {
  if (Object.hasOwn(SHAPES, unknown)) {
    const restricts = Object.hasOwn(ASSERTIONS, unknown) || Object.hasOwn(APPLICATORS, unknown);
    return restricts || unknown === 'nullable' ? unknown : undefined;
  }
  // Too many words are a letter away from `if` and `not`.
  return [...keywords.keys()].find((known) => known.length > 3 && isLetterAway(known, unknown));
}

/** Whether one letter is missing, added or changed, or two are swapped. */
function isLetterAway(known: string, unknown: string): boolean {
  let start = 0;
  while (start < known.length && known[start] === unknown[start]) start += 1;
  const [left, right] = [known.slice(start), unknown.slice(start)];
  const [rest, otherRest] = [left.slice(1), right.slice(1)];
  const isSwapped = `${left.slice(1, 2)}${left.slice(0, 1)}${left.slice(2)}` === right;
  return rest === otherRest || rest === right || left === otherRest || isSwapped;
}

/** The shape in which a keyword of JSON Schema 2020-12 holds schemas; undefined if it holds none. */
export function holderOf(keyword: string): Shape['holds'] {
  return OPENAPI_31.get(keyword)?.holds;
}

/** The dialects that mean 2020-12 with OpenAPI's annotations. The loader has already applied dialects that have their own meta-schema. */
export const KNOWN_DIALECTS: ReadonlySet<string> = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
  'https://spec.openapis.org/oas/3.1/dialect/2024-10-25',
  'https://spec.openapis.org/oas/3.1/dialect/2024-11-10',
  'https://spec.openapis.org/oas/3.2/dialect/2025-09-17',
]);

/** The names of the vocabularies in force (Core §8.1): `applicator`, `validation`, `format-assertion`. */
export type Vocabularies = ReadonlySet<string>;

const PREFIX = 'https://json-schema.org/draft/2020-12/vocab/';

export const ALL_VOCABULARIES: Vocabularies = new Set(
  words('core applicator unevaluated validation meta-data format-annotation content'),
);

/** Annotations, references and `format` have a meaning in every dialect. */
function vocabularyOf(keyword: string): string | undefined {
  if (keyword === 'unevaluatedItems' || keyword === 'unevaluatedProperties') return 'unevaluated';
  if (Object.hasOwn(APPLICATORS, keyword)) return 'applicator';
  return Object.hasOwn(ASSERTIONS, keyword) && keyword !== 'format' ? 'validation' : undefined;
}

/** The keywords of a schema whose vocabulary is not in force. A keyword without a vocabulary is always in force. */
export function foreignKeywords(schema: Fields, vocabularies: Vocabularies): readonly string[] {
  if (vocabularies === ALL_VOCABULARIES) return [];
  return Object.keys(schema).filter((keyword) => {
    const vocabulary = vocabularyOf(keyword);
    return vocabulary !== undefined && !vocabularies.has(vocabulary);
  });
}

/** The vocabularies that a meta-schema declares; undefined if it requires an unknown vocabulary, or is not a meta-schema. */
export function vocabulariesOf(meta: unknown): Vocabularies | undefined {
  if (!isObject(meta)) return undefined;
  const declared = meta['$vocabulary'];
  if (!isObject(declared)) return ALL_VOCABULARIES;
  const names = Object.entries(declared).map(([uri, isRequired]) => {
    const name = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '';
    const isKnown = ALL_VOCABULARIES.has(name) || name === 'format-assertion';
    return isRequired === true && !isKnown ? undefined : name;
  });
  return names.includes(undefined) ? undefined : new Set(names.filter((name) => name !== undefined));
}
