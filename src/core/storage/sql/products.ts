/** The products and categories of the SQL storages. */
import type { Selectable } from 'kysely';
import { parseId, type Id } from '../../model/id.js';
import type { Category, Product } from '../../model/product.js';
import type { NewProduct, ProductStore } from '../../ports/product-store.js';
import { rowCount, stretchOf, recordsById } from './query/clauses.js';
import { PreparedPages, PreparedQuery } from './query/prepared.js';
import type { SqlRunner, TasksOf } from './query/runner.js';
import type { InsertedColumns, ProductsTable } from './query/schema.js';
import { countOf, rowOf, rowsOf, type SqlTask } from './query/task.js';

type ProductRow = Selectable<ProductsTable>;

const columns = ['id', 'name', 'description', 'price_cents', 'version'] as const;

export function productTasks({ builder, dialect }: SqlRunner): TasksOf<ProductStore> {
  const products = builder.selectFrom('products').select(columns);
  const byId = new PreparedQuery('products.byId', products.where('id', '=', '1'));
  const page = products.where('id', '>', '0').orderBy('id');
  const pages = new PreparedPages('products.page', (limit) => page.limit(limit));
  const countAll = rowCount(builder, 'products');

  function* categoriesOf(productId: Id): SqlTask<readonly Category[]> {
    const categories = builder
      .selectFrom('product_categories')
      .innerJoin('categories', 'categories.id', 'product_categories.category_id')
      .select(['categories.id', 'categories.name'])
      .where('product_categories.product_id', '=', productId)
      .orderBy('categories.id');
    return (yield* rowsOf(categories)).map(({ id, name }) => ({ id: String(id), name }));
  }

  /** Why a write found no product with its id and version. */
  function* refusal(id: Id): SqlTask<'not-found' | 'stale'> {
    return (yield* tasks.find(id)) === undefined ? 'not-found' : 'stale';
  }

  const tasks: TasksOf<ProductStore> = {
    *create(product) {
      const insertion = builder.insertInto('products').values(productValues(product)).returning(columns);
      const [row] = (yield* rowsOf(insertion)) as [ProductRow]; // the insert has no condition
      return productOf(row);
    },

    *find(id) {
      if (parseId(id) === undefined) return undefined;
      const row = yield* rowOf(byId.with(id));
      return row && productOf(row);
    },

    findMany: (ids) =>
      recordsById(ids, (known) => products.where('id', 'in', dialect.idList(known)), productOf),

    *list(slice) {
      const { after, limit, offset } = stretchOf(slice);
      const later = products.where('id', '>', after).orderBy('id').limit(limit).offset(offset);
      return (yield* rowsOf(offset === 0 ? pages.with(after, limit) : later)).map(productOf);
    },

    *count() {
      return yield* countOf(countAll.with());
    },

    *replace(id, product, version) {
      if (parseId(id) === undefined) return 'not-found';
      const update = builder
        .updateTable('products')
        .set(({ eb }) => ({ ...productValues(product), version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .returning(columns);
      const row = yield* rowOf(version === undefined ? update : update.where('version', '=', version));
      return row === undefined ? yield* refusal(id) : productOf(row);
    },

    *delete(id, version) {
      if (parseId(id) === undefined) return 'not-found';
      const deletion = builder.deleteFrom('products').where('id', '=', id).returning('id');
      const row = yield* rowOf(version === undefined ? deletion : deletion.where('version', '=', version));
      return row === undefined ? yield* refusal(id) : 'deleted';
    },

    *listCategories(id) {
      return (yield* tasks.find(id)) === undefined ? 'not-found' : yield* categoriesOf(id);
    },

    *setCategories(id, names) {
      if (parseId(id) === undefined) return 'not-found';
      // Locks the row until the transaction ends: an update that changes nothing does so in both databases.
      const lock = builder.updateTable('products').set((eb) => ({ name: eb.ref('name') }));
      if ((yield* rowOf(lock.where('id', '=', id).returning('id'))) === undefined) return 'not-found';
      yield* rowsOf(builder.deleteFrom('product_categories').where('product_id', '=', id));
      if (names.length > 0) {
        yield* addCategories(builder, names.toSorted());
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
  return tasks;
}

/** Adds those that do not exist. @param names - sorted, so that two writers of the same new names cannot deadlock */
export function* addCategories(builder: SqlRunner['builder'], names: readonly string[]): SqlTask<void> {
  const insertion = builder.insertInto('categories').values(names.map((name) => ({ name })));
  yield* rowsOf(insertion.onConflict((conflict) => conflict.column('name').doNothing()));
}

function productOf({ id, name, description, price_cents, version }: ProductRow): Product {
  return {
    id: String(id),
    name,
    description: description ?? undefined,
    priceCents: Number(price_cents),
    version: Number(version),
  };
}

/** What to write for a product. */
export function productValues(product: NewProduct): InsertedColumns<ProductsTable, 'version'> {
  const { name, description, priceCents } = product;
  return { name, description: description ?? null, price_cents: priceCents };
}
