/** Finds the integers of a JSON text that `JSON.parse` rounds, where the schema asks for an integer. */

import type { Check } from '../../contract/contract.js';
import type { Failure } from '../../failures/failure.js';
import { failuresOf } from '../../failures/failures-of.js';
import { replaceLongNumbers } from './long-numbers.js';
import { Mismatch } from './mismatch.js';

const REASON = `must be integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/**
 * The first integer that was rounded to another one, with its place; undefined when there is none. A schema that takes any
 * number takes its rounding too.
 *
 * @param text - valid JSON
 */
export function roundedInteger(text: string, check: Check): Mismatch | undefined {
  // What was rounded is a fraction in the probe, so that a schema refuses its type exactly where it asks for an integer.
  const probe = replaceLongNumbers(text, (number) => (isRounded(number) ? '0.5' : undefined));
  if (probe === text) return undefined;
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

function isRounded(number: string): boolean {
  const value = Number(number);
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return false;
  const integer = /^(-?\d+)(?:\.0*)?$/.exec(number)?.[1];
  return integer !== undefined && BigInt(integer) !== BigInt(value);
}
