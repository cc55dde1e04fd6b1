/** Rules for every stored text, from any protocol. */
import { invalidInput } from './error.js';

/** How long a text may be, in Unicode characters (code points), as JSON Schema counts them. */
export interface TextBounds {
  readonly min: number;
  readonly max: number;
}

/** As the contract has it, so that a text is refused with the same sentence over REST and GraphQL. */
// eslint-disable-next-line no-control-regex -- these are the characters that it refuses
const withoutControls = /^[^\x00-\x08\x0B\x0C\x0E-\x1F]*$/;

// XML 1.0 §2.2 (Char): the characters that every representation and every store can carry. PostgreSQL has no U+0000, and
// UTF-8 has no lone surrogates.
const onlyCarriable = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;

/**
 * @param place the place of the text in the input, for the message
 * @throws ServiceError `invalid-input` when the text is too short or too long, or has characters that XML cannot carry
 */
export function checkText(place: string, text: string, bounds: TextBounds): void {
  checkLength(place, text, bounds);
  if (!withoutControls.test(text))
    throw invalidInput(place, `must match pattern "${withoutControls.source}"`);
  if (!onlyCarriable.test(text))
    throw invalidInput(place, 'must not hold halves of characters or noncharacters');
}

/** @throws ServiceError `invalid-input` when the text is too short or too long */
export function checkLength(place: string, text: string, { min, max }: TextBounds): void {
  // A character has at most two code units, so a longer text need not be counted.
  const length = text.length > 2 * max ? text.length : characters(text);
  if (length < min) throw invalidInput(place, `must NOT have fewer than ${min} characters`);
  if (length > max) throw invalidInput(place, `must NOT have more than ${max} characters`);
}

function characters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
