/** The keywords of each vocabulary of JSON Schema 2020-12, and the vocabularies of a dialect (Core §8.1). */
import { APPLICATORS, ASSERTIONS } from '@concordat/runtime/parts';
import { type Fields, isObject } from '../../schemas/document.js';
import { words } from '../../../text/identifiers.js';

/** The names of the vocabularies in force: `applicator`, `validation`, `format-assertion`. */
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
