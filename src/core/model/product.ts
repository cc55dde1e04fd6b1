/** A product that can be ordered, and its categories. */
import { invalidInput } from './error.js';
import type { Id } from './id.js';
import type { Cents } from './money.js';
import { checkText, type TextBounds } from './text.js';

export interface Product {
  readonly id: Id;
  readonly name: string;
  readonly description: string | undefined;
  readonly priceCents: Cents;
  /** Counts the writes to this record from 1; the product's categories are not part of it. */
  readonly version: number;
}

export interface Category {
  readonly id: Id;
  /** Unique among categories, and case-sensitive. */
  readonly name: string;
}

export const maxProductCategories = 100;

/** The bounds of a product's name and of an order item's name. */
export const productNameBounds: TextBounds = { min: 1, max: 200 };
export const productDescriptionBounds: TextBounds = { min: 0, max: 5_000 };
export const categoryNameBounds: TextBounds = { min: 1, max: 100 };

/** @throws ServiceError `invalid-input` for the first text that breaks its rule */
export function checkProductTexts({ name, description }: Pick<Product, 'name' | 'description'>): void {
  checkText('name', name, productNameBounds);
  if (description !== undefined) checkText('description', description, productDescriptionBounds);
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
