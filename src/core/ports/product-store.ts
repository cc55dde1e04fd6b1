/** The part of the storage port that keeps products, categories, and the links between them. */
import type { Category, Product } from '../model/product.js';
import type { Slice } from '../model/page.js';
import type { StoredChange, StoredValues } from '../model/stored.js';

/** The fields of a new product; the store adds the id. */
export type NewProduct = Omit<Product, 'id' | 'version'>;

/** The fields to write; an undefined field is not changed, and null clears the description. */
export interface ProductChange {
  readonly name: string | undefined;
  readonly description: string | null | undefined;
  readonly priceCents: number | undefined;
  readonly stored?: StoredChange<'Product'>;
}

/**
 * Cascades: the deletion of a product deletes its links to categories. Categories stay, even without a product, and so do the items of
 * orders that have its id.
 */
export interface ProductStore {
  create(product: NewProduct): Promise<Product>;

  find(id: string): Promise<Product | undefined>;

  /** @returns one entry per id, in the order of the ids, undefined if there is no such product; ids may repeat. */
  findMany(ids: readonly string[]): Promise<readonly (Product | undefined)[]>;

  /** Ascending by id. @param stored - only those with these values, or defaults, of the application's fields */
  list(slice: Slice, stored?: StoredValues): Promise<readonly Product[]>;

  /** Without `stored` the cost must not grow with the number of products. */
  count(stored?: StoredValues): Promise<number>;

  /**
   * Writes the given fields of a product and adds one to its version, in one step.
   *
   * @param version write only when the stored version is this one; undefined for any version
   */
  update(
    id: string,
    change: ProductChange,
    version?: number,
  ): Promise<Product | 'not-found' | 'stale' | 'invalid'>;

  /** Deletes a product; its categories stay. @param version as for {@link update} */
  delete(id: string, version?: number): Promise<'deleted' | 'not-found' | 'stale'>;

  /** The product's categories, ascending by id. */
  listCategories(id: string): Promise<readonly Category[] | 'not-found'>;

  /**
   * Puts a product in exactly the categories of these names, in one step; a category that does not exist is created. Names are
   * case-sensitive and unique, even if several callers create the same one at once.
   *
   * @param names without duplicates
   * @param stored - the values of the application's fields, by the place of the name; those that are not given stay
   * @returns the product's categories, ascending by id
   */
  setCategories(
    id: string,
    names: readonly string[],
    stored?: readonly Category['stored'][],
  ): Promise<readonly Category[] | 'not-found'>;
}
