/** The products and categories of the memory storage. */
import { compareIds } from '../../model/id.js';
import type { Category, Product } from '../../model/product.js';
import { valuesOf, withStored } from '../../model/stored.js';
import type { ProductStore } from '../../ports/product-store.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryProducts(tables: MemoryTables): AtOnce<ProductStore> {
  const { products, categoriesByProduct } = tables;
  return {
    create({ name, description, priceCents, stored }) {
      const id = products.nextId();
      const product: Product = { id, name, description, priceCents, version: 1 };
      const made = Object.freeze(withStored(product, stored));
      products.add(made);
      categoriesByProduct.set(id, []);
      return made;
    },

    find: (id) => products.get(id),
    findMany: (ids) => ids.map((id) => products.get(id)),
    list: (slice, stored) => products.slice(slice, tables.testOf('Product', stored)),
    count: (stored) => products.count(tables.testOf('Product', stored)),

    update(id, { name, description, priceCents, stored }, version) {
      const old = products.get(id);
      if (old === undefined) return 'not-found';
      if (version !== undefined && version !== old.version) return 'stale';
      const values = valuesOf(stored, old.stored);
      if (values === 'invalid') return values;
      const product: Product = {
        ...old,
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description: description ?? undefined }),
        ...(priceCents !== undefined && { priceCents }),
        version: old.version + 1,
      };
      const changed = Object.freeze(withStored(product, values));
      products.replace(changed);
      return changed;
    },

    delete(id, version) {
      const product = products.get(id);
      if (product === undefined) return 'not-found';
      if (version !== undefined && version !== product.version) return 'stale';
      products.delete(id);
      categoriesByProduct.delete(id);
      return 'deleted';
    },

    listCategories: (id) => categoriesByProduct.get(id)?.slice() ?? 'not-found',

    setCategories(id, names, stored = []) {
      if (!categoriesByProduct.has(id)) return 'not-found';
      const categories = categoriesOf(tables, names, stored);
      categoriesByProduct.set(id, categories);
      return categories.slice();
    },
  };
}

/** The categories of these names, with the values that are given; those that do not exist are added. */
function categoriesOf(
  { categoriesByName, categoriesByProduct }: MemoryTables,
  names: readonly string[],
  stored: readonly Category['stored'][],
): readonly Category[] {
  const categories = names.map((name, index) => {
    const known = categoriesByName.get(name);
    if (known !== undefined && stored[index] === undefined) return known;
    // No category is ever deleted, so the size gives an unused id.
    const category: Category = { id: String(categoriesByName.size + 1), name, ...known };
    const written = Object.freeze(withStored(category, stored[index]));
    categoriesByName.set(name, written);
    if (known !== undefined) {
      for (const [product, list] of categoriesByProduct)
        categoriesByProduct.set(
          product,
          list.map((each) => (each === known ? written : each)),
        );
    }
    return written;
  });
  return categories.sort((a, b) => compareIds(a.id, b.id));
}
