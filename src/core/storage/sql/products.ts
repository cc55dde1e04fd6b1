/** The products and categories of the SQL storages. */
import { parseId, type Id } from '../../model/id.js';
import type { Category, Product } from '../../model/product.js';
import type { NewProduct, ProductStore } from '../../ports/product-store.js';
import type { Slice } from '../../ports/slice.js';
import { distinctIds, recordsInOrder } from './owners.js';
import { ProductQueries } from './product-queries.js';
import { categoryOf, productOf, type ProductRow } from './product-rows.js';
import type { SqlRunner } from './runner.js';
import { rowOf, rowsOf, type SqlTask } from './task.js';

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
