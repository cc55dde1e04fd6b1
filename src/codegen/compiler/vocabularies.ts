/** The keywords of JSON Schema 2020-12: those that hold schemas, and those of each dialect (Core §8.1). */
import type { SchemaObject } from './linked-schema.js';
import { words } from '../text/names.js';

interface Subschema {
  readonly keyword: string;
  /** The steps from the outer schema. */
  readonly path: readonly (string | number)[];
  readonly schema: unknown;
}

/** How a keyword holds schemas; those of `$defs` apply only through references. */
const HOLDERS: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ...words(
    `not if then else items contains unevaluatedItems
    additionalProperties propertyNames unevaluatedProperties contentSchema`,
  ).map((name) => [name, 'one'] as const),
  ...words('allOf anyOf oneOf prefixItems').map((name) => [name, 'list'] as const),
  ...words('properties patternProperties dependentSchemas dependencies $defs definitions').map(
    (name) => [name, 'map'] as const,
  ),
]);

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

/** The names of the vocabularies in force: `applicator`, `validation`, `format-assertion`. */
export type Vocabularies = ReadonlySet<string>;

/** The dialects that mean 2020-12 with OpenAPI's annotations. */
const KNOWN_DIALECTS: readonly string[] = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
  'https://spec.openapis.org/oas/3.1/dialect/2024-10-25',
  'https://spec.openapis.org/oas/3.1/dialect/2024-11-10',
  'https://spec.openapis.org/oas/3.2/dialect/2025-09-17',
];

const PREFIX = 'https://json-schema.org/draft/2020-12/vocab/';

export const ALL_VOCABULARIES: Vocabularies = new Set(
  words('core applicator unevaluated validation meta-data format-annotation content'),
);

const KEYWORDS = {
  applicator: `allOf anyOf oneOf not if then else dependentSchemas properties patternProperties additionalProperties
    propertyNames items prefixItems contains`,
  unevaluated: 'unevaluatedItems unevaluatedProperties',
  validation: `type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern
    maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired`,
};

const VOCABULARY_OF = new Map(
  Object.entries(KEYWORDS).flatMap(([name, keywords]) => words(keywords).map((each) => [each, name])),
);

/** True for a keyword whose vocabulary is not in force. A keyword without a vocabulary is always in force. */
export function isForeign(keyword: string, vocabularies: Vocabularies): boolean {
  const vocabulary = VOCABULARY_OF.get(keyword);
  return vocabulary !== undefined && !vocabularies.has(vocabulary);
}

/**
 * The vocabularies of a dialect; undefined for an unknown one.
 *
 * @param meta the dialect's meta-schema, when it is among the documents
 * @throws when it requires an unknown vocabulary
 */
export function vocabulariesOf(dialect: string, meta: unknown): Vocabularies | undefined {
  if (KNOWN_DIALECTS.includes(dialect)) return ALL_VOCABULARIES;
  const declared = isObject(meta) ? meta['$vocabulary'] : undefined;
  if (!isObject(declared)) return meta === undefined ? undefined : ALL_VOCABULARIES;
  const names = Object.entries(declared).map(([uri, isRequired]) => {
    const name = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '';
    const isKnown = ALL_VOCABULARIES.has(name) || name === 'format-assertion';
    if (isRequired === true && !isKnown) throw new Error(`${dialect}: the vocabulary ${uri} is not known`);
    return name;
  });
  return new Set(names);
}
