/** The products and categories of the memory storage. */
import { compareIds } from '../../model/id.js';
import type { Category, Product } from '../../model/product.js';
import type { ProductStore } from '../../ports/product-store.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryProducts(tables: MemoryTables): AtOnce<ProductStore> {
  const { products, categoriesByProduct } = tables;
  return {
    create({ name, description, priceCents }) {
      const id = products.nextId();
      const stored = Object.freeze<Product>({ id, name, description, priceCents, version: 1 });
      products.add(stored);
      categoriesByProduct.set(id, []);
      return stored;
    },

    find: (id) => products.get(id),
    findMany: (ids) => ids.map((id) => products.get(id)),
    list: (slice) => products.slice(slice),
    count: () => products.count(),

    replace(id, product, version) {
      const old = products.get(id);
      if (old === undefined) return 'not-found';
      if (version !== undefined && version !== old.version) return 'stale';
      const stored = Object.freeze({ ...product, id: old.id, version: old.version + 1 });
      products.replace(stored);
      return stored;
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

    setCategories(id, names) {
      if (!categoriesByProduct.has(id)) return 'not-found';
      const categories = categoriesOf(tables, names);
      categoriesByProduct.set(id, categories);
      return categories.slice();
    },
  };
}

/** The categories of these names; those that do not exist are added. */
function categoriesOf({ categoriesByName }: MemoryTables, names: readonly string[]): readonly Category[] {
  const categories = names.map((name) => {
    const known = categoriesByName.get(name);
    if (known !== undefined) return known;
    // No category is ever deleted, so the size gives an unused id.
    const category = Object.freeze({ id: String(categoriesByName.size + 1), name });
    categoriesByName.set(name, category);
    return category;
  });
  return categories.sort((a, b) => compareIds(a.id, b.id));
}
