/** The import of products, by the same rules as creating a product and setting its categories. */
import type { ServiceError } from '../../model/error.js';
import { parsePrice, checkCategoryNames, checkProductTexts } from '../../model/product.js';
import type { ImportedProduct } from '../../ports/import-store.js';
import type { Storage } from '../../ports/storage.js';
import { orRefusal, type Importer } from '../context/importer.js';
import type { ProductInput } from './products.js';

export type ProductImport = ProductInput & { readonly categories: readonly string[] | undefined };

export class ProductImporter implements Importer<ProductImport, ImportedProduct, ImportedProduct> {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  check(inputs: readonly ProductImport[]): Promise<readonly (ImportedProduct | ServiceError)[]> {
    return Promise.resolve(inputs.map((input) => orRefusal(() => checked(input))));
  }

  prepare(products: readonly ImportedProduct[]): Promise<readonly ImportedProduct[]> {
    return Promise.resolve(products);
  }

  store(products: AsyncIterable<ImportedProduct>): Promise<number> {
    return this.#storage.imports.products(products);
  }
}

function checked(input: ProductImport): ImportedProduct {
  checkProductTexts(input);
  const { name, description, price, categories = [] } = input;
  checkCategoryNames(categories);
  const priceCents = parsePrice('price', price);
  return { name, description, priceCents, categories };
}
