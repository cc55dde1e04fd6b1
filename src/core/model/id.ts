/** Identifiers: strings of digits in numeric order, `"10"` after `"9"`. */
import { invalidInput } from './error.js';

/** A canonical identifier: 1 to 18 digits without a leading zero, so that it fits a signed 64-bit integer. */
export type Id = string;

const canonicalId = /^[1-9][0-9]{0,17}$/;
const largestId: Id = '9'.repeat(18);

/** @returns the text when it is a canonical id, else undefined: no record has any other text as its id. */
export function parseId(text: string): Id | undefined {
  return canonicalId.test(text) ? text : undefined;
}

/** Orders ids as numbers: negative when `a` comes before `b`, zero when they are the same. */
export function compareIds(a: Id, b: Id): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Reads a position in the order of ids, from `cursor`, `lastId` or `after`. Any digits are valid, including the id of a deleted
 * record, zero (before all records) and numbers beyond every id (after all records).
 *
 * @param place the argument's name, for the message
 * @returns `"0"` or a canonical id
 * @throws ServiceError `invalid-input` when the text is not all digits
 */
export function parsePosition(place: string, text: string): Id {
  if (!/^[0-9]+$/.test(text)) throw invalidInput(place, 'must be an id: digits only', 'paging');
  const digits = text.replace(/^0+(?=[0-9])/, '');
  return digits.length > largestId.length ? largestId : digits;
}
