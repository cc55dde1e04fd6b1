/** The products and categories of the SQL storages. */
import { parseId, type Id } from '../../model/id.js';
import type { Category, Product } from '../../model/product.js';
import type { NewProduct, ProductStore } from '../../ports/product-store.js';
import type { Slice } from '../../ports/slice.js';
import { distinctIds, recordsInOrder } from './query/owners.js';
import type { SqlRunner, SqlDialect } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';
import type { InsertedColumns, ProductsTable, SqlInteger } from './query/schema.js';
import type { Compilable } from 'kysely';
import { rowCount, type CountRow } from './query/counters.js';
import { PreparedPages } from './query/prepared-pages.js';
import { PreparedQuery } from './query/prepared-query.js';
import { stretchOf } from './query/slice.js';

interface ProductRow {
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
export function productValues({
  name,
  description,
  priceCents,
}: NewProduct): InsertedColumns<ProductsTable, 'version'> {
  return { name, description: description ?? null, price_cents: priceCents };
}

function categoryOf({ id, name }: CategoryRow): Category {
  return { id: String(id), name };
}

const columns = ['id', 'name', 'description', 'price_cents', 'version'] as const;

class ProductQueries {
  readonly #builder: SqlRunner['builder'];
  readonly #dialect: SqlDialect;
  readonly #pages: PreparedPages<ProductRow>;

  readonly byId: PreparedQuery<ProductRow>;
  readonly countAll: PreparedQuery<CountRow>;

  constructor({ builder, dialect }: SqlRunner) {
    this.#builder = builder;
    this.#dialect = dialect;
    this.byId = new PreparedQuery('products.byId', this.#products().where('id', '=', '1'));
    const pages = this.#products().where('id', '>', '0').orderBy('id');
    this.#pages = new PreparedPages('products.page', (limit) => pages.limit(limit));
    this.countAll = rowCount(builder, 'products');
  }

  #products() {
    return this.#builder.selectFrom('products').select(columns);
  }

  byIds(ids: readonly Id[]): Compilable<ProductRow> {
    return this.#products().where('id', 'in', this.#dialect.idList(ids));
  }

  list(slice: Slice): Compilable<ProductRow> {
    const { after, limit, offset } = stretchOf(slice);
    if (offset === 0) return this.#pages.with(after, limit);
    return this.#products().where('id', '>', after).orderBy('id').limit(limit).offset(offset);
  }

  insert(product: NewProduct): Compilable<ProductRow> {
    return this.#builder.insertInto('products').values(productValues(product)).returning(columns);
  }

  /** Returns no row when there is no product with this id and version. */
  replace(id: Id, product: NewProduct, version: number | undefined): Compilable<ProductRow> {
    const update = this.#builder
      .updateTable('products')
      .set(({ eb }) => ({ ...productValues(product), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .returning(columns);
    return version === undefined ? update : update.where('version', '=', version);
  }

  /** Returns no row when there is no product with this id and version. */
  delete(id: Id, version: number | undefined): Compilable<Pick<ProductRow, 'id'>> {
    const deletion = this.#builder.deleteFrom('products').where('id', '=', id).returning('id');
    return version === undefined ? deletion : deletion.where('version', '=', version);
  }

  /** Locks the product's row until the transaction ends. An update that changes nothing takes a lock in both databases. */
  lock(id: Id): Compilable<Pick<ProductRow, 'id'>> {
    return this.#builder
      .updateTable('products')
      .set((eb) => ({ name: eb.ref('name') }))
      .where('id', '=', id)
      .returning('id');
  }

  categories(productId: Id): Compilable<CategoryRow> {
    return this.#builder
      .selectFrom('product_categories')
      .innerJoin('categories', 'categories.id', 'product_categories.category_id')
      .select(['categories.id', 'categories.name'])
      .where('product_categories.product_id', '=', productId)
      .orderBy('categories.id');
  }

  /** @param names sorted, so that two writers of the same new names cannot deadlock */
  addCategories(names: readonly string[]): Compilable<object> {
    return this.#builder
      .insertInto('categories')
      .values(names.map((name) => ({ name })))
      .onConflict((conflict) => conflict.column('name').doNothing());
  }

  deleteCategoryEntries(productId: Id): Compilable<object> {
    return this.#builder.deleteFrom('product_categories').where('product_id', '=', productId);
  }

  insertCategoryEntries(productId: Id, names: readonly string[]): Compilable<object> {
    return this.#builder
      .insertInto('product_categories')
      .columns(['product_id', 'category_id'])
      .expression((eb) =>
        eb
          .selectFrom(['products', 'categories'])
          .select(['products.id', 'categories.id as category_id'])
          .where('products.id', '=', productId)
          .where('categories.name', 'in', names),
      );
  }
}

export class SqlProducts implements ProductStore {
  readonly #runner: SqlRunner;
  readonly #queries: ProductQueries;

  constructor(runner: SqlRunner) {
    this.#runner = runner;
    this.#queries = new ProductQueries(runner);
  }

  create(product: NewProduct): Promise<Product> {
    return this.#runner.run(() => this.creation(product));
  }

  /** The work of `create`, for a transaction that does more. */
  *creation(product: NewProduct): SqlTask<Product> {
    const [row] = (yield* rowsOf(this.#queries.insert(product))) as [ProductRow]; // the insert has no condition
    return productOf(row);
  }

  find(id: string): Promise<Product | undefined> {
    return this.#runner.run(() => this.#find(id));
  }

  *#find(id: string): SqlTask<Product | undefined> {
    if (parseId(id) === undefined) return undefined;
    const row = yield* rowOf(this.#queries.byId.with(id));
    return row && productOf(row);
  }

  findMany(ids: readonly string[]): Promise<readonly (Product | undefined)[]> {
    return this.#runner.run(() => this.#findMany(ids));
  }

  *#findMany(ids: readonly string[]): SqlTask<readonly (Product | undefined)[]> {
    const known = distinctIds(ids);
    const rows = known.length > 0 ? yield* rowsOf(this.#queries.byIds(known)) : [];
    return recordsInOrder(ids, rows, productOf);
  }

  list(slice: Slice): Promise<readonly Product[]> {
    return this.#runner.run(() => this.#list(slice));
  }

  *#list(slice: Slice): SqlTask<readonly Product[]> {
    return (yield* rowsOf(this.#queries.list(slice))).map(productOf);
  }

  count(): Promise<number> {
    return this.#runner.run(() => this.#count());
  }

  *#count(): SqlTask<number> {
    return Number((yield* rowOf(this.#queries.countAll.with()))?.count);
  }

  replace(id: string, product: NewProduct, version?: number): Promise<Product | 'not-found' | 'stale'> {
    return this.#runner.run(() => this.#replace(id, product, version));
  }

  *#replace(id: string, product: NewProduct, version?: number): SqlTask<Product | 'not-found' | 'stale'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.replace(id, product, version));
    return row === undefined ? yield* this.#refusal(id) : productOf(row);
  }

  delete(id: string, version?: number): Promise<'deleted' | 'not-found' | 'stale'> {
    return this.#runner.run(() => this.#delete(id, version));
  }

  *#delete(id: string, version?: number): SqlTask<'deleted' | 'not-found' | 'stale'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.delete(id, version));
    return row === undefined ? yield* this.#refusal(id) : 'deleted';
  }

  /** Why a write found no product with its id and version. */
  *#refusal(id: Id): SqlTask<'not-found' | 'stale'> {
    return (yield* this.#find(id)) === undefined ? 'not-found' : 'stale';
  }

  listCategories(id: string): Promise<readonly Category[] | 'not-found'> {
    return this.#runner.run(() => this.#listCategories(id));
  }

  *#listCategories(id: string): SqlTask<readonly Category[] | 'not-found'> {
    if ((yield* this.#find(id)) === undefined) return 'not-found';
    return (yield* rowsOf(this.#queries.categories(id))).map(categoryOf);
  }

  setCategories(id: string, names: readonly string[]): Promise<readonly Category[] | 'not-found'> {
    return this.#runner.runAtomically(() => this.#setCategories(id, names));
  }

  *#setCategories(id: string, names: readonly string[]): SqlTask<readonly Category[] | 'not-found'> {
    if (parseId(id) === undefined) return 'not-found';
    if ((yield* rowOf(this.#queries.lock(id))) === undefined) return 'not-found';
    yield* rowsOf(this.#queries.deleteCategoryEntries(id));
    if (names.length > 0) {
      yield* rowsOf(this.#queries.addCategories(names.toSorted()));
      yield* rowsOf(this.#queries.insertCategoryEntries(id, names));
    }
    return (yield* rowsOf(this.#queries.categories(id))).map(categoryOf);
  }
}
