/** Explains how a value itself fails a schema: its type, its values, the size of a number, the form of a text. */

import type { Failure, SchemaKeywords } from './failure.js';
import { canonical, isMultiple, isObject } from './json-value.js';

/** A failure before it has a place. */
export type Finding = Omit<Failure, 'instancePath'>;

/** The failure of the type, if any; it makes the other keywords irrelevant. */
export function typeFindings(schema: SchemaKeywords, value: unknown): readonly Finding[] {
  const { type } = schema;
  if (type === undefined) return [];
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.some((each) => isOfType(value, each))) return [];
  return [finding('type', { type }, `must be ${types.join()}`)];
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'number':
      return Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

export function valueFindings(schema: SchemaKeywords, value: unknown): readonly Finding[] {
  const own =
    typeof value === 'number'
      ? numberFindings(schema, value)
      : typeof value === 'string'
        ? textFindings(schema, value)
        : [];
  return [...own, ...formatFindings(schema, value), ...constantFindings(schema, value)];
}

function constantFindings(schema: SchemaKeywords, value: unknown): readonly Finding[] {
  // Most schemas have no constants, and the canonical text is as large as the value.
  if (!('const' in schema || 'enum' in schema)) return [];
  const found: Finding[] = [];
  const text = canonical(value);
  if ('const' in schema && canonical(schema['const']) !== text)
    found.push(finding('const', { allowedValue: schema['const'] }, 'must be equal to constant'));
  const values = schema['enum'];
  if (Array.isArray(values) && !values.some((each) => canonical(each) === text))
    found.push(finding('enum', { allowedValues: values }, 'must be equal to one of the allowed values'));
  return found;
}

const BOUNDS: readonly (readonly [string, string, (value: number, limit: number) => boolean])[] = [
  ['maximum', '<=', (value, limit) => value <= limit],
  ['minimum', '>=', (value, limit) => value >= limit],
  ['exclusiveMaximum', '<', (value, limit) => value < limit],
  ['exclusiveMinimum', '>', (value, limit) => value > limit],
];

function numberFindings(schema: SchemaKeywords, value: number): readonly Finding[] {
  const found: Finding[] = [];
  for (const [keyword, comparison, holds] of BOUNDS) {
    const limit = schema[keyword];
    if (typeof limit === 'number' && !holds(value, limit))
      found.push(finding(keyword, { comparison, limit }, `must be ${comparison} ${limit}`));
  }
  const step = schema['multipleOf'];
  if (typeof step === 'number' && !isMultiple(value, step))
    found.push(finding('multipleOf', { multipleOf: step }, `must be multiple of ${step}`));
  return found;
}

function textFindings(schema: SchemaKeywords, value: string): readonly Finding[] {
  const found = countFindings(schema, 'Length', 'characters', () => Array.from(value).length);
  const { pattern } = schema;
  // Matching a pattern may take too long for a text that is too long.
  const isTooLong = found.some(({ keyword }) => keyword === 'maxLength');
  if (isTooLong || typeof pattern !== 'string' || expression(pattern).test(value)) return found;
  return [...found, finding('pattern', { pattern }, `must match pattern "${pattern}"`)];
}

function formatFindings(schema: SchemaKeywords, value: unknown): readonly Finding[] {
  const fits = formatTest(schema, typeof value);
  if (fits?.(value) !== false) return [];
  const { format } = schema;
  return [finding('format', { format }, `must match format "${String(format)}"`)];
}

/** The test of a schema's format for values of a type; undefined if the format does not restrict them. */
export function formatTest(
  { fitsFormat }: SchemaKeywords,
  type: string,
): ((value: unknown) => boolean) | undefined {
  return (fitsFormat as Readonly<Record<string, (value: unknown) => boolean>> | undefined)?.[type];
}

/** The failures of `maxItems` and `minItems`, or of the same keywords for another size. */
export function countFindings(
  schema: SchemaKeywords,
  what: 'Items' | 'Length' | 'Properties',
  unit: string,
  count: () => number,
): readonly Finding[] {
  const found: Finding[] = [];
  const [most, least] = [schema[`max${what}`], schema[`min${what}`]];
  if (typeof most === 'number' && count() > most)
    found.push(finding(`max${what}`, { limit: most }, `must NOT have more than ${most} ${unit}`));
  if (typeof least === 'number' && count() < least)
    found.push(finding(`min${what}`, { limit: least }, `must NOT have fewer than ${least} ${unit}`));
  return found;
}

export function finding(keyword: string, params: Finding['params'], message: string): Finding {
  return { keyword, params, message };
}

const expressions = new Map<string, RegExp>();

/** The regular expression of a pattern: with the flag `u`, or without it if the pattern is only valid then. */
export function expression(pattern: string): RegExp {
  let known = expressions.get(pattern);
  if (known === undefined) {
    try {
      known = new RegExp(pattern, 'u');
    } catch {
      known = new RegExp(pattern);
    }
    expressions.set(pattern, known);
  }
  return known;
}
