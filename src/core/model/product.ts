/** A product that can be ordered, its categories, and its price in whole cents. */
import { invalidInput } from './error.js';
import type { Id } from './id.js';
import type { StoredOf } from './stored.js';
import { checkText, type TextBounds } from './text.js';

export interface Product {
  readonly id: Id;
  readonly name: string;
  readonly description: string | undefined;
  readonly priceCents: Cents;
  /** Counts the writes to this record from 1; the product's categories are not part of it. */
  readonly version: number;
  /** The values of the application's own fields, here and in the other records; absent if there never were any. */
  readonly stored?: StoredOf<'Product'> | undefined;
}

export interface Category {
  readonly id: Id;
  /** Unique among categories, and case-sensitive. */
  readonly name: string;
  readonly stored?: StoredOf<'Category'> | undefined;
}

const maxProductCategories = 100;

/** The bounds of a product's name and of an order item's name. */
export const productNameBounds: TextBounds = { min: 1, max: 200 };
const productDescriptionBounds: TextBounds = { min: 0, max: 5_000 };
const categoryNameBounds: TextBounds = { min: 1, max: 100 };

/** @throws ServiceError `invalid-input` for the first text that breaks its rule */
export function checkProductTexts({
  name,
  description,
}: {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
}): void {
  if (name !== undefined) checkText('name', name, productNameBounds);
  if (description != null) checkText('description', description, productDescriptionBounds);
}

/** @throws ServiceError `invalid-input` for too many names, for one given twice, and for the first that breaks its rule */
export function checkCategoryNames(names: readonly string[]): void {
  if (names.length > maxProductCategories) {
    throw invalidInput('categories', `must be at most ${maxProductCategories}`);
  }
  names.forEach((name, index) => {
    checkText(`${index}/name`, name, categoryNameBounds);
  });
  if (new Set(names).size < names.length) throw invalidInput('categories', 'must not hold a name twice');
}

/**
 * A whole number of cents. The largest possible total, 100 items of 10,000 at 1,000,000.00, is 10^14 cents, far below the
 * 9 × 10^15 up to which a number is exact.
 */
export type Cents = number;

const maxPrice: Cents = 1_000_000_00;

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
  // Dividing rounds to the double nearest to the decimal, which JSON parsers also return for the same digits.
  if (decimalOf(cents) !== amount) throw invalidInput(place, 'must have at most two decimals');
  return cents + 0; // -0 becomes 0
}

/** @returns the decimal amount, for example 19.99 for 1999; it prints with at most two decimals. */
export function decimalOf(cents: Cents): number {
  return cents / 100;
}
