/** Makes texts by length, pattern and format: texts that a regular expression matches, for the syntax that contracts commonly use. */

import { expression, formatTest } from '@concordat/runtime/parts';
import { formatValues } from './format-values.js';
import { type PlainPart, countsOf, examplesIn } from './parts.js';
import { seeded, uniform } from './seeded.js';

export function textsIn(parts: readonly PlainPart[], keyword: 'pattern' | 'format'): readonly string[] {
  return parts.flatMap(({ schema }) => (typeof schema[keyword] === 'string' ? [schema[keyword]] : []));
}

/** The number of varied texts of a pattern that are tried. */
const MOST_VARIED = 1000;

/** A text that fits all parts, if one is found. @param nth - counts the texts that should differ from each other, from 0 */
export function typicalText(parts: readonly PlainPart[], nth = 0): string | undefined {
  const { least, most } = countsOf(parts, 'Length');
  const own = parts.flatMap((part) => [...examplesIn(part), part.schema['default']]);
  const formats = textsIn(parts, 'format');
  const given = [...formats.flatMap(textSamples), ...own.filter((value) => typeof value === 'string')];
  const ofFormats = formats.flatMap((format) => formatValues(format)?.random ?? []);
  const patterns = [...textsIn(parts, 'pattern'), ...(nth === 0 ? [] : ofFormats)];
  const made = patterns.flatMap((pattern) =>
    [1, 2, least, Math.min(most, least + 8)].flatMap((repeat) => textOfPattern(pattern, repeat, nth) ?? []),
  );
  const candidates = [
    ...(nth === 0 ? given : []),
    ...made,
    ...made.map((text) => textOfLength(least, most, text)),
    ...given.slice(nth),
    numbered(textOfLength(least, most), nth),
  ];
  const found = candidates.find((text) => fitsText(parts, text));
  if (found !== undefined) return found;
  const varied = patterns.flatMap((pattern) =>
    Array.from({ length: MOST_VARIED }, (_, seed) => variedText(pattern, seed)),
  );
  return varied.find((text) => text !== undefined && fitsText(parts, text));
}

/** The text with another end for each number but 0. */
function numbered(text: string, nth: number): string {
  const end = nth === 0 ? '' : (nth + 10).toString(36);
  return text.slice(0, text.length - end.length) + end;
}

/** A plain text whose length is in a range. */
export function textOfLength(least: number, most: number, stem = 'text'): string {
  const characters = Array.from(stem);
  if (characters.length < least) return stem + 'a'.repeat(least - characters.length);
  return characters.slice(0, Math.max(least, Math.min(most, characters.length))).join('');
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

/** Makes the choices in a text of a pattern. */
interface PatternChoices {
  /** One of several: alternatives, or the characters of a class, those that differ most first. */
  readonly oneOf: <T>(pieces: readonly [T, ...T[]]) => T;
  /** How often an atom is repeated. */
  readonly count: (least: number, most: number) => number;
}

/** Writes a part of a pattern. @param groups - the texts of the groups so far, by number and name */
type Writer = (choices: PatternChoices, groups: Map<string, string>) => string;

/**
 * The text of certain choices.
 *
 * @param repeat - the number of repetitions of each repeatable part, within the part's bounds
 * @param choice - the index of the alternative, and of the member of a class, to write; it wraps around
 * @returns undefined for an unsupported pattern
 */
export function textOfPattern(pattern: string, repeat: number, choice = 0): string | undefined {
  return chosenText(pattern, {
    oneOf: (pieces) => pieces[choice % pieces.length] ?? pieces[0],
    count: (least, most) => Math.max(least, Math.min(most, repeat)),
  });
}

/**
 * A text of a pattern whose parts differ from each other, as look-around may demand.
 *
 * @param seed - a whole number; those below 100 make texts of simpler characters
 * @returns undefined for an unsupported pattern
 */
export function variedText(pattern: string, seed: number): string | undefined {
  const random = seeded(seed);
  const widest = seed < 100 ? 3 : Infinity;
  return chosenText(pattern, {
    oneOf: (pieces) => pieces[uniform(random, Math.min(pieces.length, widest) - 1)] ?? pieces[0],
    count: (least, most) => least + uniform(random, Math.min(most - least, 5)),
  });
}

const known = new Map<string, Writer | undefined>();

/**
 * Writes one choice of every alternative and class of a pattern. Look-around is skipped, except for what must come before, which is not
 * supported, so the caller must test the text.
 *
 * @param pattern - a regular expression of ECMA-262
 * @returns undefined for an unsupported pattern
 */
function chosenText(pattern: string, choices: PatternChoices): string | undefined {
  if (!known.has(pattern)) known.set(pattern, writerOf(pattern));
  return known.get(pattern)?.(choices, new Map());
}

function writerOf(pattern: string): Writer | undefined {
  const reading = new PatternReading(pattern);
  try {
    const writer = reading.alternatives();
    return reading.isAtEnd ? writer : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a pattern matches a text; a pattern that JavaScript cannot compile matches every text. */
export function matchesPattern(pattern: string, text: string): boolean {
  try {
    return expression(pattern).test(text);
  } catch {
    return true;
  }
}

/** The characters that classes are tried with, beside those that a pattern has itself. */
const ALPHABET = `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('')}\t\n\réß漢😀`;

/** The characters that `\d`, `[a-z]` or another atom may be: a typical one, its first and its last, and the others. */
function charactersOf(atom: string): Writer {
  const written = atom.replaceAll(
    /\\u\{([\da-f]+)\}|\\[ux]([\da-f]{2,4})/giu,
    (_, long: string | undefined, short: string) => String.fromCodePoint(parseInt(long ?? short, 16)),
  );
  const one = expression(`^(?:${atom})$`);
  const all = [...new Set(Array.from(ALPHABET + written).sort())].filter((each) => one.test(each));
  const typical = ['a', 'A', '1'].filter((each) => all.includes(each));
  const [first, ...others] = new Set([...typical, ...all.slice(0, 1), ...all.slice(-1), ...all]);
  if (first === undefined) throw new Error('no character is known');
  return ({ oneOf }) => oneOf([first, ...others]);
}

const NOTHING: Writer = () => '';

/** Assertions, which have no text; a group's start; a reference to a group; a class or an escape; any other character. */
const TOKEN =
  /([\^$]|\\[bB])|(\((?:\?(?::|<?[=!]|<\w+>))?)|\\(?:([1-9]\d*)|k<(\w+)>)|(\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[^1-9k])|[^|)[\\])/iuy;

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;

class PatternReading {
  #at = 0;
  #groups = 0;

  constructor(private readonly pattern: string) {}

  get isAtEnd(): boolean {
    return this.#at >= this.pattern.length;
  }

  alternatives(): Writer {
    const all: [Writer, ...Writer[]] = [this.#sequence()];
    while (this.#skip('|')) all.push(this.#sequence());
    return (choices, groups) => choices.oneOf(all)(choices, groups);
  }

  #sequence(): Writer {
    const sequence: Writer[] = [];
    while (!this.isAtEnd && !/[|)]/.test(this.pattern.charAt(this.#at))) {
      const atom = this.#atom();
      const [least, most] = this.#bounds();
      sequence.push((choices, groups) => {
        const length = least === most ? least : choices.count(least, most);
        return Array.from({ length }, () => atom(choices, groups)).join('');
      });
    }
    return (choices, groups) => sequence.map((each) => each(choices, groups)).join('');
  }

  #atom(): Writer {
    const [token = '', assertion, group, number, name] = this.#take(TOKEN) ?? [];
    const reference = number ?? name;
    if (reference !== undefined) return (_, groups) => groups.get(reference) ?? '';
    if (token === '' || group === '(?<=') throw new Error('not supported');
    if (assertion !== undefined) return NOTHING;
    if (group === undefined) return /^[[\\.]/.test(token) ? charactersOf(token) : () => token;
    const isCapturing = /^\((?:\?<\w|$)/.test(group);
    if (isCapturing) this.#groups += 1;
    const names = [String(this.#groups), ...(/\w+/.exec(group) ?? [])];
    const inner = this.alternatives();
    if (!this.#skip(')')) throw new Error('the group has no end');
    if (/[=!]$/.test(group)) return NOTHING;
    if (!isCapturing) return inner;
    return (choices, groups) => {
      const text = inner(choices, groups);
      for (const each of names) groups.set(each, text);
      return text;
    };
  }

  #bounds(): readonly [least: number, most: number] {
    const [, sign, least, comma, most = ''] = this.#take(QUANTIFIER) ?? [];
    if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity];
    if (least === undefined) return [1, 1];
    const from = Number(least);
    return [from, comma === '' ? from : most === '' ? Infinity : Number(most)];
  }

  #take(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const found = form.exec(this.pattern) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #skip(character: string): boolean {
    if (this.pattern.charAt(this.#at) !== character) return false;
    this.#at += 1;
    return true;
  }
}
