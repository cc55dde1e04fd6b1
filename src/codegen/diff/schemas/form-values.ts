/** Texts of many forms: those of patterns, those of formats, and texts of one repeated character. */

import { FORMAT_VALUES, formatValues, textOfPattern } from 'concordat/values';
import type { Candidates, ValueMaker } from './difference.js';
import type { SchemaView } from './schema-view.js';

/** Characters that patterns distinguish. */
export const CHARACTERS = ['!', 'a', 'A', '0', ' ', '-', '_', '.', '/', 'é', '漢', '😀', '\n'];

/** Texts that fit the patterns and formats of a schema, and texts that fit others. @param written - patterns or names of formats */
export function* formValues(make: ValueMaker, written: readonly unknown[], source: SchemaView): Candidates {
  yield make.own();
  yield* ['text', ''];
  const own = [...source.keywords('pattern'), ...source.keywords('format')].map(({ value }) => value);
  for (const form of [...new Set([...own, ...written].map(String))]) {
    yield* formatValues(form)?.samples ?? [];
    yield* formatValues(form)?.outside ?? [];
    for (const choice of [0, 1, 2, 3]) {
      for (const repeat of [1, 0, 2, 3, 5, 10]) yield textOfPattern(form, repeat, choice);
    }
  }
  const bound = (keyword: string, otherwise: number): number =>
    Number(source.keyword(keyword)?.value ?? otherwise);
  const least = bound('minLength', 1);
  const lengths = [Math.max(1, least), least + 1, Math.min(least + 30, bound('maxLength', Infinity))];
  for (const length of lengths) {
    for (const character of CHARACTERS) yield character.repeat(Math.min(length, LONGEST));
  }
  for (const { samples } of Object.values(FORMAT_VALUES)) yield* samples.slice(0, 1);
}

const LONGEST = 100_000;

/** Whether every text matches a pattern: it finds an empty text at the start or at the end, or allows any characters. */
export function isTrivialPattern(pattern: string): boolean {
  if (/^\^?(?:\[\\s\\S\]|\[\\S\\s\]|\[\\d\\D\]|\[\\w\\W\]|\[\^\])\*\$?$/.test(pattern)) return true;
  const unescaped = pattern.replaceAll(/\\[^bB]|\[(?:\\.|[^\]\\])*\]/gu, 'x');
  const hasBothEnds = unescaped.includes('^') && unescaped.includes('$');
  if (hasBothEnds || /\\[bB]|\(\?<?[=!]/.test(unescaped)) return false;
  try {
    return new RegExp(pattern, 'u').test('');
  } catch {
    return false;
  }
}
