/** Money as whole cents, so that sums and products are exact; decimals exist only in requests and answers. */
import { invalidInput } from './error.js';

/**
 * A whole number of cents. The largest possible total, 100 items of 10,000 at 1,000,000.00, is 10^14 cents, far below the
 * 9 × 10^15 up to which a number is exact.
 */
export type Cents = number;

export const maxPrice: Cents = 1_000_000_00;

/**
 * Reads a price.
 *
 * @param place its place in the input, for the message
 * @param amount as the caller wrote it, for example 19.99
 * @throws ServiceError `invalid-input` below 0, above 1,000,000, and with more than two decimals
 */
export function parsePrice(place: string, amount: number): Cents {
  const cents = Math.round(amount * 100);
  if (!(cents >= 0 && cents <= maxPrice)) throw invalidInput(place, 'must be 0 to 1000000');
  // Dividing rounds to the double nearest to the decimal, which is the one that JSON parses from the same digits.
  if (decimalOf(cents) !== amount) throw invalidInput(place, 'must have at most two decimals');
  return cents + 0; // -0 becomes 0
}

/** @returns the amount with its decimals, for example 19.99 for 1999: written out, it has at most two. */
export function decimalOf(cents: Cents): number {
  return cents / 100;
}
