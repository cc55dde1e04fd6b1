/** Makes texts by length, pattern and format. */

import { formatTest } from '../failures/assertion-failures.js';
import { type Draw, anyCharacter, lengthBetween } from './choices.js';
import { formatValues } from './format-values.js';
import { type PlainPart, countsOf } from './parts.js';
import { chosenText, matchesPattern, textOfPattern } from './pattern-text.js';

function textsIn(parts: readonly PlainPart[], keyword: 'pattern' | 'format'): readonly string[] {
  return parts.flatMap(({ schema }) => (typeof schema[keyword] === 'string' ? [schema[keyword]] : []));
}

/** A text that fits all parts, if one is found. */
export function typicalText(parts: readonly PlainPart[]): string | undefined {
  const { least, most } = countsOf(parts, 'Length');
  const own = parts.flatMap(({ schema: { example, examples, default: byDefault } }) => [
    example,
    ...(Array.isArray(examples) ? (examples as readonly unknown[]) : []),
    byDefault,
  ]);
  const samples = textsIn(parts, 'format').flatMap(textSamples);
  const made = textsIn(parts, 'pattern').flatMap((pattern) =>
    [1, 2, least, Math.min(most, least + 8)].flatMap((repeat) => textOfPattern(pattern, repeat) ?? []),
  );
  const candidates = [
    ...samples,
    ...own.filter((value) => typeof value === 'string'),
    ...made,
    ...made.map((text) => textOfLength(least, most, text)),
    textOfLength(least, most),
  ];
  return candidates.find((text) => fitsText(parts, text));
}

/** A plain text whose length is in a range. */
export function textOfLength(least: number, most: number, stem = 'text'): string {
  const characters = Array.from(stem);
  const missing = Math.max(0, least - characters.length);
  const filled = [...characters, ...Array.from<string>({ length: missing }).fill('a')];
  return filled.slice(0, Math.max(least, Math.min(most, filled.length))).join('');
}

/** Whether a text has the length and the patterns of all parts, and looks as if it had their formats. */
export function fitsText(parts: readonly PlainPart[], text: string): boolean {
  const { least, most } = countsOf(parts, 'Length');
  const { length } = Array.from(text);
  return (
    length >= least &&
    length <= most &&
    textsIn(parts, 'pattern').every((pattern) => matchesPattern(pattern, text)) &&
    parts.every(({ schema }) => (formatTest(schema, 'string') ?? looksLike(schema['format']))(text))
  );
}

/** A rough test for the schemas of documents, which have no tests of formats; the compiled checks decide. */
function looksLike(format: unknown): (text: unknown) => boolean {
  if (format === 'email' || format === 'idn-email') return (text) => /^\S+@[\w-]+\.\w+/.test(String(text));
  if (format === 'uri' || format === 'iri') return (text) => /^[a-z]+:/.test(String(text));
  const samples = textSamples(format);
  return (text) => samples.length === 0 || samples.includes(String(text)) || !/^text|^a+$/.test(String(text));
}

function textSamples(format: unknown): readonly string[] {
  return formatValues(format)?.samples.filter((sample) => typeof sample === 'string') ?? [];
}

/** The greatest maximum length for which texts of exactly that length are made. */
const LONGEST = 1_000;

export function randomText(parts: readonly PlainPart[]): Draw<string> {
  const { least, most } = countsOf(parts, 'Length');
  const patterns = textsIn(parts, 'pattern');
  const formats = textsIn(parts, 'format');
  const plain: Draw<string> = (source) =>
    source.list(anyCharacter, least, most, lengthBetween(source, least, most, LONGEST)).join('');
  const [format] = formats.flatMap((each) => formatValues(each)?.random ?? []);
  const [pattern] = patterns.filter((each) => textOfPattern(each, 1) !== undefined);
  const draws = [
    ...(format === undefined ? [] : [typeof format === 'string' ? textsOf(format) : format]),
    ...(pattern === undefined ? [] : [textsOf(pattern, least)]),
  ];
  const isTested =
    patterns.length > 0 || parts.some(({ schema }) => formatTest(schema, 'string') !== undefined);
  const [first = plain, ...others] = draws;
  // Of a format and a pattern, either may be so narrow that hardly any text of the other has it.
  const made: Draw<string> = (source) => source.oneOf([first, ...others])(source);
  if (draws.length === 0 && !isTested) return plain;
  return (source) =>
    source.fitting(
      made,
      (text) => fitsText(parts, text),
      () => [...patterns.map((each) => `the pattern ${each}`), ...formats].join(' and '),
    );
}

/** The texts of a pattern. @param least - the minimum length, which repetitions and further characters fill */
export function textsOf(pattern: string, least = 0): Draw<string> {
  return (source) => {
    const text = chosenText(pattern, {
      oneOf: (pieces) => source.oneOf(pieces),
      count: (fewest, most) => {
        const wanted = source.chance(0.5) ? Math.min(most, least) : 0;
        const length = Math.max(wanted, lengthBetween(source, fewest, most, LONGEST));
        return fewest + source.upTo(Math.min(most, 2 ** 20) - fewest, () => length - fewest);
      },
    });
    return textOfLength(least, Infinity, text);
  };
}
