/** Makes texts within bounds of length that fit patterns and formats. */

import fc from 'fast-check';
import { expression, formatTest } from '../failures/assertion-failures.js';
import { type Parts, boundOf } from './conjunction.js';
import { textsOfFormat } from './formats.js';
import { only } from './lazy.js';
import { plain } from './plain-texts.js';

export function texts(parts: Parts): fc.Arbitrary<string> {
  const minLength = boundOf(parts, 'minLength', Math.max) ?? 0;
  const maxLength = boundOf(parts, 'maxLength', Math.min);
  const patterns = parts.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));
  const formats = parts.flatMap(({ format }) => (typeof format === 'string' ? [format] : []));
  const [format] = formats.flatMap((each) => textsOfFormat(each) ?? []);
  const [pattern] = patterns;
  const made = [
    ...(format === undefined ? [] : [format()]),
    ...(pattern === undefined ? [] : [matching(pattern, minLength)]),
  ];
  // Of a format and a pattern, either may be so narrow that hardly any text of the other has it.
  const base = made.length === 0 ? plain(minLength, maxLength) : fc.oneof(...made);
  const tests = parts.flatMap((part) => formatTest(part, 'string') ?? []);
  if (patterns.length + tests.length === 0) return base;
  const isOfLength = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= minLength && length <= (maxLength ?? length);
  };
  return only(
    base,
    (text) =>
      isOfLength(text) &&
      patterns.every((each) => expression(each).test(text)) &&
      tests.every((test) => test(text)),
    () => [...patterns.map((each) => `the pattern ${each}`), ...formats].join(' and '),
  );
}

function matching(pattern: string, minLength: number): fc.Arbitrary<string> {
  const size = minLength > 100 ? 'large' : minLength > 10 ? 'medium' : 'small';
  for (const source of [pattern, withoutAssertions(pattern)]) {
    for (const flags of ['u', '']) {
      try {
        return fc.stringMatching(new RegExp(source, flags), { size });
      } catch {
        // fast-check does not support this form, so the next one is tried.
      }
    }
  }
  return plain(minLength, undefined);
}

/** The pattern without look-around and word boundaries, which fast-check does not support. */
function withoutAssertions(pattern: string): string {
  let text = '';
  let skipped = 0;
  let isClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const [escape] = /^\\./su.exec(rest) ?? [];
    const [assertion] = isClass ? [] : (/^\((?:\?<?[=!])?/.exec(rest) ?? []);
    const piece = escape ?? assertion ?? pattern.charAt(at);
    at += piece.length - 1;
    if (piece === '[') isClass = true;
    if (piece === ']') isClass = false;
    if (skipped > 0 || (assertion !== undefined && assertion !== '(')) {
      if (assertion !== undefined) skipped += 1;
      if (piece === ')' && !isClass) skipped -= 1;
    } else if (isClass || (piece !== '\\b' && piece !== '\\B')) text += piece;
  }
  return text;
}
