/** Rules for every stored text, from any protocol. */
import { invalidInput } from './error.js';

/** How long a text may be, in Unicode characters (code points), as JSON Schema counts them. */
export interface TextBounds {
  readonly min: number;
  readonly max: number;
}

// XML 1.0 §2.2 (Char): the characters that every representation and every store can carry. PostgreSQL has no U+0000, and
// UTF-8 has no lone surrogates.
const onlyCarriable = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;

/**
 * @param place the place of the text in the input, for the message
 * @throws ServiceError `invalid-input` when the text is too short or too long, or has characters that XML cannot carry
 */
export function checkText(place: string, text: string, bounds: TextBounds): void {
  checkLength(place, text, bounds);
  if (!onlyCarriable.test(text))
    throw invalidInput(place, 'must not hold control characters or halves of characters');
}

/** @throws ServiceError `invalid-input` when the text is too short or too long */
export function checkLength(place: string, text: string, { min, max }: TextBounds): void {
  // A character has at most two code units, so a longer text need not be counted.
  const length = text.length > 2 * max ? text.length : characters(text);
  if (length < min || length > max) throw invalidInput(place, `must be ${min} to ${max} characters long`);
}

function characters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
