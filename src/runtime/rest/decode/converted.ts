/** Converts a checked value of a request to the one that its handler gets. */

import type { Convert } from '../../contract/contract.js';
import { memberPointer } from '../../failures/pointer.js';
import { Mismatch, decodeError } from './mismatch.js';

/**
 * @param exact - the value with bigints for integers beyond 2^53
 * @param place - a JSON Pointer, such as `/body`
 * @throws a `DecodeError` that names the place of a value that cannot be converted
 */
export function converted(convert: Convert, value: unknown, exact: unknown, place: string): unknown {
  try {
    return convert(value, exact);
  } catch (error) {
    // The function of a recursive schema calls itself for each level of the body.
    if (error instanceof RangeError) throw decodeError('/body', new Mismatch('is nested too deeply'));
    if (!(error instanceof TypeError)) throw error;
    const keys = placeOf(error).map(memberPointer);
    throw decodeError(place + keys.join(''), new Mismatch(error.message, undefined, '', 'format'));
  }
}

/** The keys that generated functions add from the inside to the outside. */
export function placeOf(error: unknown): readonly (string | number)[] {
  if (!(error instanceof Error) || !('place' in error) || !Array.isArray(error.place)) return [];
  return (error.place as (string | number)[]).toReversed();
}
