/** Reads products and categories from rows. */
import type { Category, Product } from '../../model/product.js';
import type { NewProduct } from '../../ports/product-store.js';
import type { InsertedColumns, ProductsTable, SqlInteger } from './schema.js';

export interface ProductRow {
  readonly id: SqlInteger;
  readonly name: string;
  readonly description: string | null;
  readonly price_cents: SqlInteger;
  readonly version: SqlInteger;
}

export interface CategoryRow {
  readonly id: SqlInteger;
  readonly name: string;
}

export function productOf({ id, name, description, price_cents, version }: ProductRow): Product {
  return {
    id: String(id),
    name,
    description: description ?? undefined,
    priceCents: Number(price_cents),
    version: Number(version),
  };
}

/** What to write for a product. */
export function productValues({
  name,
  description,
  priceCents,
}: NewProduct): InsertedColumns<ProductsTable, 'version'> {
  return { name, description: description ?? null, price_cents: priceCents };
}

export function categoryOf({ id, name }: CategoryRow): Category {
  return { id: String(id), name };
}
