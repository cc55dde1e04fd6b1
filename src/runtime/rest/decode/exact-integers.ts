/** Finds the integers of a JSON text that `JSON.parse` rounds, where the schema asks for an integer. */

import type { Check } from '../../contract/contract.js';
import type { Failure } from '../../failures/failure.js';
import { failuresOf } from '../../failures/failures-of.js';
import { Mismatch } from './mismatch.js';

/** Every integer beyond 2^53 has at least 16 digits. */
const MANY_DIGITS = /\d{16}/;

/** A quote, or a number. */
const TOKEN = /"|-?\d[\d.eE+-]*/g;

const REASON = `must be integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/**
 * The first integer that was rounded to another one, with its place; undefined when there is none. A schema that takes any
 * number takes its rounding too.
 *
 * @param text - valid JSON
 */
export function roundedInteger(text: string, check: Check): Mismatch | undefined {
  if (!MANY_DIGITS.test(text)) return undefined;
  const probe = withFractions(text);
  if (probe === text) return undefined;
  // What was rounded is a fraction in the probe, so that a schema refuses its type exactly where it asks for an integer.
  const place = placeOfType(failuresOf(check, JSON.parse(probe)));
  return place === undefined ? undefined : new Mismatch(REASON, undefined, place);
}

/** @returns a JSON Pointer, such as `/lines/0/cents`; empty for the whole value */
function placeOfType(failures: readonly Failure[]): string | undefined {
  for (const { keyword, instancePath, alternatives = [] } of failures) {
    const place = keyword === 'type' ? instancePath : placeOfType(alternatives.flat());
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The text with a fraction in place of every integer that is rounded. */
function withFractions(text: string): string {
  let result = '';
  let end = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [found] = token;
    if (found === '"') TOKEN.lastIndex = endOfString(text, token.index);
    else if (isRounded(found)) {
      result += `${text.slice(end, token.index)}0.5`;
      end = TOKEN.lastIndex;
    }
  }
  return result + text.slice(end);
}

function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

function isRounded(number: string): boolean {
  const value = Number(number);
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return false;
  const integer = /^(-?\d+)(?:\.0*)?$/.exec(number)?.[1];
  return integer !== undefined && BigInt(integer) !== BigInt(value);
}
