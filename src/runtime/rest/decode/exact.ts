/** Handles numbers of JSON texts that no number holds exactly: they are refused, or are bigints until they are converted. */

import type { Check } from '../../contract/contract.js';
import { randomId } from '../../http/response-writers.js';
import type { Failure } from '../../failures/failure.js';
import { failuresOf } from '../../failures/failures-of.js';
import { Mismatch } from './mismatch.js';

/** Matches every integer of 64 bits. Longer ones remain numbers, because BigInt is slow for very long ones. */
const INTEGER = /^-?\d{16,20}$/;

/** Parses JSON, with bigints for integers beyond 2^53 of up to 20 digits. @throws SyntaxError as `JSON.parse` does */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Before Node 21, a reviver does not get the source of a number. The mark is random, so no string of the text has it.
  const mark = randomId();
  const marked = replaceLongNumbers(text, (number) =>
    INTEGER.test(number) && !Number.isSafeInteger(Number(number)) ? `"${mark}${number}"` : undefined,
  );
  if (marked === text) return value;
  return JSON.parse(marked, (_, each: unknown) =>
    typeof each === 'string' && each.startsWith(mark) ? BigInt(each.slice(mark.length)) : each,
  );
}

/** Parses JSON that was received for its check, which takes the integers of 64 bits as their nearest numbers within the bounds. */
export function parseNearestJson(text: string): unknown {
  return withoutBigints(parseExactJson(text));
}

/** The value with numbers for bigints, for checks. */
export function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return nearest(value);
  if (Array.isArray(value)) return value.map(withoutBigints);
  // A file is no object that decoding made.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutBigints(each)]));
}

/** The number that `JSON.parse` gives, except that an integer below 2^63 or 2^64 is never rounded up to that bound. */
function nearest(value: bigint): number {
  const number = Number(value);
  const size = Math.abs(number);
  const isBeyond = (size === 2 ** 63 || size === 2 ** 64) && BigInt(size) > (value < 0n ? -value : value);
  return isBeyond ? number - number * 2 ** -53 : number;
}

/** Every number that is rounded has at least 16 digits, or an exponent at which it becomes 0. */
const MANY_DIGITS = /[\d.]{16}|\de-\d{3}/i;

/** A quote, or a number that may be rounded. */
const TOKEN = /"|-?\d[\d.eE+-]{5,}/g;

/**
 * Replaces the numbers that may have 16 digits or more, in linear time and without recursion.
 *
 * @param text - JSON
 * @param replacementOf - the replacement of a number; undefined to keep it
 * @returns the text itself if no number is replaced
 */
export function replaceLongNumbers(
  text: string,
  replacementOf: (number: string) => string | undefined,
): string {
  if (!MANY_DIGITS.test(text)) return text;
  let result = '';
  let end = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [found] = token;
    if (found === '"') {
      TOKEN.lastIndex = endOfString(text, token.index);
      continue;
    }
    const replacement = replacementOf(found);
    if (replacement === undefined) continue;
    result += text.slice(end, token.index) + replacement;
    end = TOKEN.lastIndex;
  }
  return end === 0 ? text : result + text.slice(end);
}

/** The index after a string: an even number of backslashes precedes its closing quote. */
function endOfString(text: string, start: number): number {
  let quote = start;
  let backslashes: number;
  do {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) return text.length;
    backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
  } while (backslashes % 2 === 1);
  return quote + 1;
}

const REASON = `must be integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** No schema that requires an integer or a multiple of 0.01 accepts it. */
const PROBE = 0.31415926535897;

/**
 * The place of the first number that was rounded, if its schema requires an integer or a multiple; undefined when there is none. A
 * schema that accepts any number also accepts rounding.
 *
 * @param text - valid JSON
 */
export function roundedNumber(text: string, check: Check): Mismatch | undefined {
  // The probe has a fraction for each rounded number, so a schema refuses it exactly where it requires an integer or a multiple.
  const probe = replaceLongNumbers(text, (number) => (isRounded(number) ? String(PROBE) : undefined));
  if (probe === text) return undefined;
  const failure = failureOfNumber(failuresOf(check, JSON.parse(probe)));
  if (failure === undefined) return undefined;
  const { keyword, message, instancePath } = failure;
  return new Mismatch(keyword === 'type' ? REASON : message, undefined, instancePath, keyword);
}

function failureOfNumber(failures: readonly Failure[], seen = new Set<Failure>()): Failure | undefined {
  for (const failure of failures) {
    const { keyword, alternatives = [] } = failure;
    // Alternatives of a recursive schema share failures.
    if (seen.has(failure)) continue;
    seen.add(failure);
    const isOwn = keyword === 'type' || keyword === 'multipleOf';
    const found = isOwn ? failure : failureOfNumber(alternatives.flat(), seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isRounded(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  const integer = /^(-?\d+)(?:\.0*)?$/.exec(number)?.[1];
  return integer === undefined
    ? digitsOf(number) !== digitsOf(String(value))
    : BigInt(integer) !== BigInt(value);
}

/** The significant digits of a number and the exponent of the last one: `1.50e1` and `15` are the same. */
function digitsOf(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d*))?(?:e(.*))?$/i.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${String(Number(exponent) - fraction.length + digits.length - significant.length)}`;
}
