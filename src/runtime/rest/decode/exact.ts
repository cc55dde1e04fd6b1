/** Keeps the digits of integers that no number holds: they are bigints until they are converted. */

import { replaceLongNumbers } from './long-numbers.js';

/** An integer of at most 64 bits; longer ones stay numbers, because BigInt takes long for very long ones. */
const INTEGER = /^-?\d{16,20}$/;

/**
 * Parses JSON, and gives integers of up to 20 digits beyond 2^53 as bigints.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Before Node 21 a reviver does not see the source of a number. Nobody can guess this mark, so that no string has it.
  const mark = crypto.randomUUID();
  const marked = replaceLongNumbers(text, (number) =>
    INTEGER.test(number) && !Number.isSafeInteger(Number(number)) ? `"${mark}${number}"` : undefined,
  );
  if (marked === text) return value;
  return JSON.parse(marked, (_, each: unknown) =>
    typeof each === 'string' && each.startsWith(mark) ? BigInt(each.slice(mark.length)) : each,
  );
}

/** The value as checks see it, with numbers for bigints. */
export function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return nearest(value);
  if (Array.isArray(value)) return value.map(withoutBigints);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutBigints(each)]));
}

/** The number that `JSON.parse` gives, except that rounding makes no integer of 63 or 64 bits one of more. */
function nearest(value: bigint): number {
  const number = Number(value);
  const size = Math.abs(number);
  const isBeyond = (size === 2 ** 63 || size === 2 ** 64) && BigInt(size) > (value < 0n ? -value : value);
  return isBeyond ? number - number * 2 ** -53 : number;
}

/** Whether a value is an object that decoding made, and not a file. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
