/** The use cases around products and their categories. */
import { notFound } from '../model/error.js';
import { parsePrice } from '../model/money.js';
import { anyPage, offsetPage, offsetWindow, type OffsetArguments, type OffsetPage } from '../model/page.js';
import { checkCategoryNames, checkProductTexts, type Category, type Product } from '../model/product.js';
import type { NewProduct, ProductStore } from '../ports/product-store.js';
import type { Caller } from './caller.js';
import type { ServiceContext } from './context.js';
import type { Rights } from './rights.js';
import { expectedVersion, stale, unconditional, type WriteCondition } from './version.js';

/** A whole product, as a caller gives it. */
export interface ProductInput extends Omit<NewProduct, 'priceCents'> {
  /** A decimal amount: 24.5. */
  readonly price: number;
}

/** Every method throws `unauthenticated` or `forbidden` where the table of rights says no. */
export class ProductsService {
  readonly #products: ProductStore;
  readonly #rights: Rights;

  constructor(context: ServiceContext) {
    this.#products = context.storage.products;
    this.#rights = context.rights;
  }

  /** @throws ServiceError `invalid-input` */
  async create(caller: Caller, input: ProductInput): Promise<Product> {
    this.#rights.require(caller, 'products.write');
    return await this.#products.create(checked(input));
  }

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<Product> {
    this.#rights.require(caller, 'products.read');
    return stored(await this.#products.find(id));
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(caller: Caller, asked: OffsetArguments = anyPage): Promise<OffsetPage<Product>> {
    this.#rights.require(caller, 'products.read');
    const window = offsetWindow(asked);
    const [products, total] = await Promise.all([this.#products.list(window), this.#products.count()]);
    return offsetPage(products, total, window);
  }

  /** Replaces a product; an undefined description is cleared. @throws ServiceError `invalid-input`, `not-found`, `precondition-failed` */
  async replace(
    caller: Caller,
    id: string,
    input: ProductInput,
    condition: WriteCondition = unconditional,
  ): Promise<Product> {
    this.#rights.require(caller, 'products.write');
    const product = checked(input);
    const version = await expectedVersion('Product', condition, () => this.#products.find(id));
    return stored(await this.#products.replace(id, product, version));
  }

  /** Deletes a product; orders keep its name and price. @throws ServiceError `not-found`, `precondition-failed` */
  async delete(caller: Caller, id: string, condition: WriteCondition = unconditional): Promise<void> {
    this.#rights.require(caller, 'products.write');
    const version = await expectedVersion('Product', condition, () => this.#products.find(id));
    const outcome = await this.#products.delete(id, version);
    if (outcome !== 'deleted') stored(outcome);
  }

  /** A page of the product's categories by offset, ascending by id; by default the first 100. @throws ServiceError `not-found` */
  async listCategories(
    caller: Caller,
    id: string,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<Category>> {
    this.#rights.require(caller, 'products.read');
    const categories = await this.#products.listCategories(id);
    if (categories === 'not-found') throw notFound('Product');
    const window = offsetWindow(asked);
    const page = categories.slice(window.offset, window.offset + window.limit);
    return offsetPage(page, categories.length, window);
  }

  /**
   * Sets the categories of a product; names without a category become new categories.
   *
   * @returns the product's categories, ascending by id
   * @throws ServiceError `invalid-input`, `not-found`
   */
  async replaceCategories(
    caller: Caller,
    id: string,
    names: readonly string[],
  ): Promise<readonly Category[]> {
    this.#rights.require(caller, 'products.write');
    checkCategoryNames(names);
    const categories = await this.#products.setCategories(id, names);
    if (categories === 'not-found') throw notFound('Product');
    return categories;
  }
}

function checked(input: ProductInput): NewProduct {
  checkProductTexts(input);
  const { name, description, price } = input;
  return { name, description, priceCents: parsePrice('price', price) };
}

function stored(outcome: Product | undefined | 'not-found' | 'stale'): Product {
  if (outcome === undefined || outcome === 'not-found') throw notFound('Product');
  if (outcome === 'stale') throw stale('Product');
  return outcome;
}
