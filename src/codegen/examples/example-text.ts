/** Makes strings that schemas accept: by format, by pattern and by length. */

import type { SchemaObject } from '../load/openapi.js';
import { formatOf } from '../formats/format-table.js';
import { matchesPattern, textOfPattern } from './pattern-text.js';

/** A sample that fits all schemas, if there is one. */
export function exampleText(schemas: readonly SchemaObject[]): string | undefined {
  const fits = (text: string): boolean => schemas.every((schema) => fitsKeywords(schema, text));
  return textsFor(schemas).find(fits);
}

/** Candidates: the schemas' own examples, samples of their formats and patterns, and plain texts of a fitting length. */
function textsFor(schemas: readonly SchemaObject[]): readonly string[] {
  const least = Math.max(0, ...schemas.map(({ minLength }) => lengthOf(minLength, 0)));
  const most = Math.min(Infinity, ...schemas.map(({ maxLength }) => lengthOf(maxLength, Infinity)));
  const own = schemas.flatMap(({ example, examples, default: byDefault }) => [
    example,
    ...(Array.isArray(examples) ? (examples as readonly unknown[]) : []),
    byDefault,
  ]);
  const formats = schemas.flatMap(({ format }) => textSamples(format));
  const patterns = schemas.flatMap(({ pattern }) =>
    typeof pattern === 'string' ? textsOfPattern(pattern, least, most) : [],
  );
  const hasForm = formats.length + patterns.length > 0;
  return [
    ...formats,
    ...own.filter((value) => typeof value === 'string'),
    ...patterns,
    ...(hasForm ? patterns.map((text) => textOfLength(least, most, text)) : []),
    textOfLength(least, most),
  ];
}

function textsOfPattern(pattern: string, least: number, most: number): readonly string[] {
  return [1, 2, least, Math.min(most, least + 8)].flatMap((repeat) => textOfPattern(pattern, repeat) ?? []);
}

/** A plain text whose length, in characters, is in a range. */
export function textOfLength(least: number, most: number, stem = 'text'): string {
  const characters = Array.from(stem);
  const filled = [
    ...characters,
    ...Array.from<string>({ length: Math.max(0, least - characters.length) }).fill('a'),
  ];
  return filled.slice(0, Math.max(least, Math.min(most, filled.length))).join('');
}

/** Whether a sample fits the keywords of a schema; its format is checked only roughly. */
function fitsKeywords(schema: SchemaObject, text: string): boolean {
  const { format } = schema;
  if (!fitsLength(schema, text) || !fitsPattern(schema, text)) return false;
  return format === undefined || hasLookOf(format, text);
}

export function fitsLength({ minLength, maxLength }: SchemaObject, text: string): boolean {
  const { length } = Array.from(text);
  return length >= lengthOf(minLength, 0) && length <= lengthOf(maxLength, Infinity);
}

export function fitsPattern({ pattern }: SchemaObject, text: string): boolean {
  return typeof pattern !== 'string' || matchesPattern(pattern, text);
}

/** A rough filter; the compiled checks decide. */
function hasLookOf(format: string, text: string): boolean {
  if (format === 'email' || format === 'idn-email') return /^\S+@[\w-]+\.\w+/.test(text);
  if (format === 'uri' || format === 'iri') return /^[a-z]+:/.test(text);
  const samples = textSamples(format);
  return samples.length === 0 || samples.includes(text) || !/^text|^a+$/.test(text);
}

function textSamples(format: unknown): readonly string[] {
  return formatOf(format)?.samples.filter((sample) => typeof sample === 'string') ?? [];
}

function lengthOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
