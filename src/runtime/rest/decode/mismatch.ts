/** The reason why a text does not fit: returned while another reading may still accept the text, and thrown at the end. */

import type { Check, Convert } from '../../contract/contract.js';
import { placeOf } from '../../failures/failure.js';
import { explainFailures } from '../../failures/sentences.js';
import { memberPointer, unescaped } from '../../failures/json-value.js';
import type { ProblemFailure } from '../../http/problem.js';

export class Mismatch {
  /**
   * @param reason - the end of a sentence that begins with the place, as in `must be integer`
   * @param text - the text of a refused scalar, for a lenient parameter
   * @param path - the JSON Pointer below the place, as in `/1` or `/filter/a`
   * @param keyword - the JSON Schema keyword that comes closest to the reason
   */
  constructor(
    readonly reason: string,
    readonly text?: string,
    readonly path = '',
    readonly keyword = 'type',
  ) {}

  /** The same failure, relative to the array or object that holds the value. */
  within(member: string | number): Mismatch {
    return new Mismatch(this.reason, undefined, `${memberPointer(member)}${this.path}`, this.keyword);
  }

  /** The failure at a place. @param place - a JSON Pointer such as `/query/ids` */
  at(place: string): ProblemFailure {
    const pointer = place + this.path;
    return { pointer, keyword: this.keyword, detail: `${shownPlace(pointer)} ${this.reason}` };
  }
}

export const givenTwice = /* @__PURE__ */ new Mismatch('must be given once');

export const missing = /* @__PURE__ */ new Mismatch('is required', undefined, '', 'required');

/** For a text that is not in the encoding of its media type. */
export function unreadable(reason: string): Mismatch {
  return new Mismatch(reason, undefined, '', 'contentMediaType');
}

/** A JSON Pointer in the form used in sentences: `query/limit`. */
function shownPlace(pointer: string): string {
  return unescaped(pointer.slice(1));
}

/**
 * The failures of a value that its check refuses; empty when it fits.
 *
 * @param place - the JSON Pointer of the value, such as `/body`; empty for the whole request
 */
export function failuresIn(
  check: Check | undefined,
  value: unknown,
  place: string,
): readonly ProblemFailure[] {
  try {
    return check === undefined || check(value) ? NONE : explainFailures(check, value, place);
  } catch (error) {
    // The check of a recursive schema calls itself for each level of the value and can run out of stack.
    if (!(error instanceof RangeError)) throw error;
    const detail = `${place === '' ? 'body' : shownPlace(place)} is nested too deeply`;
    return [{ pointer: place, keyword: '$ref', detail }];
  }
}

const NONE: readonly ProblemFailure[] = [];

/** The only error of decoding. The message is one sentence that names the first place, as in `query/limit must be integer`. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';

  /**
   * @param failures - all misfits
   *
   * @param decoded - the values that fit, so that they can be checked too
   */
  constructor(
    readonly failures: readonly [ProblemFailure, ...ProblemFailure[]],
    readonly decoded?: unknown,
  ) {
    super(failures[0].detail);
  }
}

/** The result of `read`, or the part that could be decoded; its failures are added to the list. */
export function collect<Value>(read: () => Value, failures: ProblemFailure[]): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    failures.push(...error.failures);
    return (error.decoded ?? {}) as Value;
  }
}

/** @throws a DecodeError with the failures, if there are any */
export function requireNone(failures: readonly ProblemFailure[], decoded: unknown): void {
  const [first, ...others] = failures;
  if (first !== undefined) throw new DecodeError([first, ...others], decoded);
}

/** For a text that cannot be parsed. @param place - JSON Pointer into the request: `/body` */
export function decodeError(place: string, mismatch: Mismatch): DecodeError {
  return new DecodeError([mismatch.at(place)]);
}

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
