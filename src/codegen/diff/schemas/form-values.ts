/** Texts of many forms: those of patterns, those of formats, and texts of one repeated character. */

import { FORMAT_SAMPLES } from '../../examples/example-text.js';
import { textOfPattern } from '../../examples/pattern-text.js';
import type { Candidates, ValueMaker } from './difference.js';
import type { SchemaView } from './schema-view.js';

/** Texts that differ in all that a pattern may ask of a format: letters, case, length, and what may be left out. */
const OF_FORMAT: Readonly<Record<string, readonly string[]>> = {
  date: ['0001-01-01', '1999-12-31', '2024-02-29'],
  time: ['00:00:00Z', '23:59:59.123456+14:00', '08:05:09-08:30'],
  'date-time': ['0001-01-01T00:00:00Z', '1999-12-31t23:59:59.123456+14:00', '2024-02-29T08:05:09-08:30'],
  duration: ['P3W', 'PT0.5S', 'P1Y2M3DT4H5M6S'],
  email: ['A@B.CO', 'o_brien+tag.x-1@sub.example-domain.org', `${'a'.repeat(60)}@example.com`],
  'idn-email': ['A@B.CO', 'o_brien+tag.x-1@sub.example-domain.org', 'jürgen@bücher.example'],
  hostname: ['A', '1a.B-c.example', 'localhost', `${'a'.repeat(60)}.example`],
  'idn-hostname': ['A', '1a.B-c.example', 'bücher.example'],
  ipv4: ['0.0.0.0', '255.255.255.255'],
  ipv6: ['::', 'FE80::1:abcd', '2001:db8:1:2:3:4:5:6', '::ffff:192.0.2.1'],
  uri: [
    'urn:a',
    'HTTP://u:p@EXAMPLE.com:80/a%20b?c=d#e',
    'mailto:a@b.example',
    `https://example.com/${'a'.repeat(300)}`,
  ],
  'uri-reference': ['', '#', '?a=b', '//example.com/', 'https://example.com/', `/${'a'.repeat(300)}`],
  iri: ['urn:a', 'https://bücher.example/ä'],
  'iri-reference': ['', '#', 'ä', 'https://bücher.example/'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ABCDEF01-2345-1789-8ABC-DEF012345678'],
  byte: ['', 'AA==', '/+/+'],
};

/** Characters that patterns tell apart. */
export const CHARACTERS = ['!', 'a', 'A', '0', ' ', '-', '_', '.', '/', 'é', '漢', '😀', '\n'];

/** Texts that fit the patterns and formats of a schema, and texts that fit others. @param written - patterns or names of formats */
export function* formValues(make: ValueMaker, written: readonly unknown[], source: SchemaView): Candidates {
  yield make.own();
  yield* ['text', ''];
  const own = [...source.keywords('pattern'), ...source.keywords('format')].map(({ value }) => value);
  for (const form of [...new Set([...own, ...written].map(String))]) {
    yield FORMAT_SAMPLES[form];
    yield* OF_FORMAT[form] ?? [];
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
  yield* Object.values(FORMAT_SAMPLES);
}

const LONGEST = 100_000;

/** A pattern that every text matches: it finds an empty text at the start or at the end, or nothing but any characters. */
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
