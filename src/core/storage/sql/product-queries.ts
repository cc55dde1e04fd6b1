/** The queries behind the products and categories of the SQL storages. */
import type { Compilable } from 'kysely';
import type { Id } from '../../model/id.js';
import type { NewProduct } from '../../ports/product-store.js';
import type { Slice } from '../../ports/slice.js';
import { rowCount, type CountRow } from './counters.js';
import { PreparedPages } from './prepared-pages.js';
import { PreparedQuery } from './prepared-query.js';
import { productValues, type CategoryRow, type ProductRow } from './product-rows.js';
import type { SqlDialect, SqlRunner } from './runner.js';
import { stretchOf } from './slice.js';

const columns = ['id', 'name', 'description', 'price_cents', 'version'] as const;

export class ProductQueries {
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
