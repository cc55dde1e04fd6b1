/** The products and categories of the memory storage. */
import { compareIds, type Id } from '../../model/id.js';
import type { Category, Product } from '../../model/product.js';
import type { NewProduct, ProductStore } from '../../ports/product-store.js';
import type { Slice } from '../../ports/slice.js';
import { Table } from './table.js';

/** No method awaits anything, so each is atomic. */
export class MemoryProducts implements ProductStore {
  readonly #products = new Table<Product>();
  #lastCategoryId = 0;
  readonly #categoriesByName = new Map<string, Category>();
  /** By the id of the product; ascending by id. */
  readonly #categoriesByProduct = new Map<Id, readonly Category[]>();

  create(product: NewProduct): Promise<Product> {
    return Promise.resolve(this.add(product, []));
  }

  /** Adds a product in the categories of these names, each once. */
  add({ name, description, priceCents }: NewProduct, categories: readonly string[]): Product {
    const stored = Object.freeze<Product>({
      id: this.#products.nextId(),
      name,
      description,
      priceCents,
      version: 1,
    });
    this.#products.add(stored);
    this.#categoriesByProduct.set(stored.id, this.#categories(categories));
    return stored;
  }

  find(id: string): Promise<Product | undefined> {
    return Promise.resolve(this.#products.get(id));
  }

  findMany(ids: readonly string[]): Promise<readonly (Product | undefined)[]> {
    return Promise.resolve(ids.map((id) => this.#products.get(id)));
  }

  list(slice: Slice): Promise<readonly Product[]> {
    return Promise.resolve(this.#products.slice(slice));
  }

  count(): Promise<number> {
    return Promise.resolve(this.#products.count());
  }

  replace(id: string, product: NewProduct, version?: number): Promise<Product | 'not-found' | 'stale'> {
    const old = this.#products.get(id);
    if (old === undefined) return Promise.resolve('not-found');
    if (version !== undefined && version !== old.version) return Promise.resolve('stale');
    const stored = Object.freeze({ ...product, id: old.id, version: old.version + 1 });
    this.#products.replace(stored);
    return Promise.resolve(stored);
  }

  delete(id: string, version?: number): Promise<'deleted' | 'not-found' | 'stale'> {
    const product = this.#products.get(id);
    if (product === undefined) return Promise.resolve('not-found');
    if (version !== undefined && version !== product.version) return Promise.resolve('stale');
    this.#products.delete(id);
    this.#categoriesByProduct.delete(id);
    return Promise.resolve('deleted');
  }

  listCategories(id: string): Promise<readonly Category[] | 'not-found'> {
    return Promise.resolve(this.#categoriesByProduct.get(id)?.slice() ?? 'not-found');
  }

  setCategories(id: string, names: readonly string[]): Promise<readonly Category[] | 'not-found'> {
    if (!this.#categoriesByProduct.has(id)) return Promise.resolve('not-found');
    const categories = this.#categories(names);
    this.#categoriesByProduct.set(id, categories);
    return Promise.resolve(categories.slice());
  }

  #categories(names: readonly string[]): Category[] {
    return names.map((name) => this.#category(name)).sort((a, b) => compareIds(a.id, b.id));
  }

  #category(name: string): Category {
    const known = this.#categoriesByName.get(name);
    if (known !== undefined) return known;
    const category = Object.freeze({ id: String(++this.#lastCategoryId), name });
    this.#categoriesByName.set(name, category);
    return category;
  }
}
