/** The products and categories of the SQL storages. */
import { parseId, type Id } from '../../model/id.js';
import type { Category } from '../../model/product.js';
import type { StoredValues } from '../../model/stored.js';
import type { ProductStore } from '../../ports/product-store.js';
import { insertedOf, readerOf, selectionOf, updatedOf } from './query/columns.js';
import { type Selection, listedRecordsIn } from './query/pages.js';
import { type SqlRunner, storeOf, type TasksOf, rowOf, rowsOf, type SqlTask } from './query/runner.js';
import { categoryColumns, productColumns } from './query/schema.js';
import { changedStored, keptColumns, storedConditions, updatedStored } from './query/stored.js';

/** @param tasks - see {@link productTasks} */
export function sqlProducts(runner: SqlRunner, tasks: TasksOf<ProductStore>): ProductStore {
  const store = storeOf<ProductStore>(runner, tasks, {
    findMany: 'run',
    list: 'runList',
    count: 'runList',
    update: 'runAtomically',
    listCategories: 'runList',
    setCategories: 'runAtomically',
  });
  return {
    ...store,
    // Most changes are one query.
    update: (id, change, version) =>
      typeof change.stored === 'function'
        ? store.update(id, change, version)
        : runner.run(() => tasks.update(id, change, version)),
  };
}

export function productTasks(runner: SqlRunner): TasksOf<ProductStore> {
  const { builder, dialect } = runner;
  const fields = keptColumns(runner, 'Product', productColumns);
  const categoryFields = keptColumns(runner, 'Category', categoryColumns);
  const { find, findMany, list, count, recordOf } = listedRecordsIn(runner, 'products', fields);
  const columns = selectionOf(fields, dialect);
  const categoryOf = readerOf(categoryFields);

  /** The products with these values; undefined for all. */
  function matching(stored: StoredValues | undefined): Selection<'products'> | undefined {
    const conditions = storedConditions(runner, 'Product', stored);
    if (conditions.length === 0) return undefined;
    const products = builder.selectFrom('products').where((eb) => eb.and(conditions));
    return { parts: [products], counter: undefined };
  }

  function* categoriesOf(productId: Id): SqlTask<readonly Category[]> {
    const categories = builder
      .selectFrom('product_categories')
      .innerJoin('categories', 'categories.id', 'product_categories.category_id')
      .select(selectionOf(categoryFields, dialect, 'categories'))
      .where('product_categories.product_id', '=', productId)
      .orderBy('categories.id');
    return (yield* rowsOf(categories)).map(categoryOf);
  }

  /** The reason why a write found no product with its id and version. */
  function* refusal(id: Id): SqlTask<'not-found' | 'stale'> {
    return (yield* find(id)) === undefined ? 'not-found' : 'stale';
  }

  return {
    find,
    findMany,
    list: (slice, stored) => list(slice, matching(stored)),
    count: (stored) => count(matching(stored)),

    *create(product) {
      const row = yield* rowOf(
        builder.insertInto('products').values(insertedOf(fields, product)).returning(columns),
      );
      if (row === undefined) throw new Error('the insert has returned no row');
      return recordOf(row);
    },

    *update(id, { stored: given, ...change }, version) {
      if (parseId(id) === undefined) return 'not-found';
      const stored = yield* changedStored(runner, 'Product', { id, version }, given);
      if (stored === 'invalid') return stored;
      const update = builder
        .updateTable('products')
        .set(({ eb }) => ({
          ...updatedOf(fields, change),
          ...stored,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .returning(columns);
      const row = yield* rowOf(version === undefined ? update : update.where('version', '=', version));
      return row === undefined ? yield* refusal(id) : recordOf(row);
    },

    *delete(id, version) {
      if (parseId(id) === undefined) return 'not-found';
      const deletion = builder.deleteFrom('products').where('id', '=', id).returning('id');
      const row = yield* rowOf(version === undefined ? deletion : deletion.where('version', '=', version));
      return row === undefined ? yield* refusal(id) : 'deleted';
    },

    *listCategories(id) {
      return (yield* find(id)) === undefined ? 'not-found' : yield* categoriesOf(id);
    },

    *setCategories(id, names, stored = []) {
      if (parseId(id) === undefined) return 'not-found';
      // Locks the row until the transaction ends: an update that changes nothing does so in both databases.
      const lock = builder.updateTable('products').set((eb) => ({ name: eb.ref('name') }));
      if ((yield* rowOf(lock.where('id', '=', id).returning('id'))) === undefined) return 'not-found';
      yield* rowsOf(builder.deleteFrom('product_categories').where('product_id', '=', id));
      if (names.length > 0) {
        yield* addCategories(builder, names.toSorted());
        for (const [name, values] of namesInOrder(names, stored)) {
          if (values === undefined) continue;
          const written = { name, ...updatedStored(runner, 'Category', values) };
          yield* rowsOf(builder.updateTable('categories').set(written).where('name', '=', name));
        }
        yield* rowsOf(
          builder
            .insertInto('product_categories')
            .columns(['product_id', 'category_id'])
            .expression((eb) =>
              eb
                .selectFrom(['products', 'categories'])
                .select(['products.id', 'categories.id as category_id'])
                .where('products.id', '=', id)
                .where('categories.name', 'in', names),
            ),
        );
      }
      return yield* categoriesOf(id);
    },
  };
}

/** The names with their values, in an order in which two writers cannot deadlock. */
function namesInOrder(names: readonly string[], stored: readonly Category['stored'][]) {
  return names
    .map((name, index) => [name, stored[index]] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Adds the categories that do not exist. @param names - sorted, so that two writers of the same new names cannot deadlock */
export function* addCategories(builder: SqlRunner['builder'], names: readonly string[]): SqlTask<void> {
  const insertion = builder.insertInto('categories').values(names.map((name) => ({ name })));
  yield* rowsOf(insertion.onConflict((conflict) => conflict.column('name').doNothing()));
}
