/** The use cases around products and their categories. */

import { notFound } from '../../model/error.js';
import type { InputOf } from '../../model/fields.js';
import {
  anyPage,
  type OffsetArguments,
  offsetPage,
  type OffsetPage,
  offsetWindow,
} from '../../model/page.js';
import {
  type Category,
  checkCategoryNames,
  checkProductTexts,
  parsePrice,
  type Product,
} from '../../model/product.js';
import type { StoredChange, StoredValues } from '../../model/stored.js';
import type { NewProduct, ProductChange } from '../../ports/product-store.js';
import type { Stores } from '../../ports/storage.js';
import { type Created, createOnce } from '../writes/idempotency.js';
import type { ServiceContext } from '../context/service-context.js';
import { unconditional, type WriteCondition, writeWhile } from '../writes/write-condition.js';
import { type Amounts, increased, unlessInvalid } from '../writes/stored-changes.js';
import { readPage } from '../reads/lists.js';
import type { Caller } from '../rights/caller.js';

/** The right that every write of products takes. */
const actions = ['products.write'] as const;

/** The input for a whole product. */
export interface ProductInput extends InputOf<Omit<NewProduct, 'priceCents'>> {
  /** A decimal amount: 24.5. */
  readonly price: number;
}

/** The fields of a product to change; undefined fields keep their value, and null clears the description. */
export interface ProductPatch {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly price?: number | undefined;
  readonly stored?: StoredChange<'Product'>;
}

/** Every method throws `unauthenticated` or `forbidden` if the policy refuses. */
export class ProductsService {
  constructor(private readonly context: ServiceContext<'products'>) {}

  /** @throws ServiceError `invalid-input` */
  async create(caller: Caller, input: ProductInput): Promise<Product> {
    return (await this.createOnce(caller, input, undefined)).record;
  }

  /** Like {@link create}, at most once per idempotency key. @throws ServiceError also as `Idempotency.run` */
  async createOnce(caller: Caller, input: ProductInput, key: string | undefined): Promise<Created<Product>> {
    const decide = this.context.rights.requireFirst(caller, ['products.write']);
    const product = checked(input);
    decide?.(product);
    const { writes } = this.context;
    const write = { caller, operation: 'products.create', actions, event: 'product.created' } as const;
    const find = (id: string) => this.context.storage.products.find(id);
    return await createOnce(this.context, write, { key, input }, find, async (keyed) => {
      const given = checked(await writes.before(write, undefined, input));
      return await writes.create(write, keyed, ({ products }) => products.create(given));
    });
  }

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<Product> {
    this.context.rights.filter(caller, 'products.read');
    return found(await this.#find(caller, id));
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(
    caller: Caller,
    asked: OffsetArguments = anyPage,
    stored?: StoredValues,
  ): Promise<OffsetPage<Product>> {
    return await readPage(
      asked,
      this.context.rights.scopeOfAll(caller, 'products.read'),
      stored,
      (slice, values) => this.context.storage.products.list(slice, values),
      (values) => this.context.storage.products.count(values),
    );
  }

  /** Replaces a product; an undefined description is cleared. @throws ServiceError `invalid-input`, `not-found`, `precondition-failed` */
  async replace(
    caller: Caller,
    id: string,
    input: ProductInput,
    condition: WriteCondition = unconditional,
  ): Promise<Product> {
    return await this.#write(caller, 'products.replace', id, input, condition, (given) => {
      const { description = null, ...fields } = checked(given);
      return { ...fields, description };
    });
  }

  /** Changes some fields of a product. @throws ServiceError as {@link replace} */
  async update(
    caller: Caller,
    id: string,
    patch: ProductPatch,
    condition: WriteCondition = unconditional,
  ): Promise<Product> {
    return await this.#write(caller, 'products.update', id, patch, condition, checkedPatch);
  }

  /** Adds amounts to stored fields, in the step of the write. @throws ServiceError as {@link update} and `increased` */
  async increment(
    caller: Caller,
    id: string,
    amounts: Amounts<'Product'>,
    condition: WriteCondition = unconditional,
  ): Promise<Product> {
    const stored = increased(this.context.storage.ownFields, 'Product', amounts);
    return await this.update(caller, id, { stored }, condition);
  }

  async #write<Input extends ProductPatch>(
    caller: Caller,
    operation: string,
    id: string,
    input: Input,
    condition: WriteCondition,
    changeOf: (given: Input) => ProductChange,
  ): Promise<Product> {
    const decide = this.context.rights.requireFirst(caller, ['products.write']);
    changeOf(input); // what it refuses calls no hook
    const { writes } = this.context;
    const write = { caller, operation, actions, event: 'product.updated' } as const;
    return await this.#onRecord(caller, id, condition, decide, async (old) => {
      const change = changeOf(await writes.before(write, old, input));
      const update = ({ products }: Stores) => products.update(id, change, old?.version);
      return unlessInvalid(await writes.store(write, old, update), change);
    });
  }

  /** Deletes a product; orders keep its name and price. @throws ServiceError `not-found`, `precondition-failed` */
  async delete(caller: Caller, id: string, condition: WriteCondition = unconditional): Promise<void> {
    const decide = this.context.rights.requireFirst(caller, ['products.write'], undefined, `product:${id}`);
    const { writes } = this.context;
    const audited = [{ action: 'products.delete', target: `product:${id}` }] as const;
    const write = {
      caller,
      operation: 'products.delete',
      actions,
      audited,
      event: 'product.deleted',
      id,
    } as const;
    await this.#onRecord(caller, id, condition, decide, async (old) => {
      await writes.before(write, old, undefined);
      return await writes.store(write, old, ({ products }) => products.delete(id, old?.version));
    });
  }

  async #onRecord<Outcome>(
    caller: Caller,
    id: string,
    condition: WriteCondition,
    decide: ((product: Product) => void) | undefined,
    write: (old: Product | undefined) => Promise<Outcome | 'not-found' | 'stale'>,
  ): Promise<Outcome> {
    const read = () => this.#find(caller, id);
    const isNeeded = this.context.writes.hooked({ actions });
    return await writeWhile({ what: 'Product', condition, decide, read, isNeeded }, write);
  }

  /** A page of the product's categories by offset, ascending by id; by default the first 100. @throws ServiceError `not-found` */
  async listCategories(
    caller: Caller,
    id: string,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<Category>> {
    if (this.context.rights.filter(caller, 'products.read') !== undefined)
      found(await this.#find(caller, id));
    const categories = found(await this.context.storage.products.listCategories(id));
    const window = offsetWindow(asked);
    const page = categories.slice(window.offset, window.offset + window.limit);
    return offsetPage(page, categories.length, window);
  }

  /**
   * Sets the categories of a product; names without a category become new categories.
   *
   * @param stored - the values of the application's fields, by the place of the name; those that are not given stay
   * @returns the product's categories, ascending by id
   * @throws ServiceError `invalid-input`, `not-found`
   */
  async replaceCategories(
    caller: Caller,
    id: string,
    names: readonly string[],
    stored: readonly Category['stored'][] = [],
  ): Promise<readonly Category[]> {
    const decide = this.context.rights.requireFirst(caller, ['products.write']);
    checkCategoryNames(names);
    const input = { categories: names, stored };
    const check = ({ categories }: typeof input) => checkCategoryNames(categories);
    const { writes } = this.context;
    const operation = 'products.replaceCategories';
    const write = { caller, operation, actions, event: 'product.categorized', id } as const;
    return await this.#onRecord(caller, id, unconditional, decide, async (old) => {
      const given = await writes.before(write, old, input, check);
      return await writes.store(write, old, ({ products }) =>
        products.setCategories(id, given.categories, given.stored),
      );
    });
  }

  async #find(caller: Caller, id: string): Promise<Product | undefined> {
    const product = await this.context.storage.products.find(id);
    return product && this.context.rights.hides(caller, 'products.read', product) ? undefined : product;
  }
}

function checkedPatch(patch: ProductPatch): ProductChange {
  checkProductTexts(patch);
  const { name, description, price, stored } = patch;
  return { name, description, priceCents: price === undefined ? price : parsePrice('price', price), stored };
}

function checked(input: ProductInput): NewProduct {
  checkProductTexts(input);
  const { name, description, price, stored } = input;
  const product = { name, description, priceCents: parsePrice('price', price) };
  return stored === undefined ? product : { ...product, stored };
}

function found<T extends object>(outcome: T | undefined | 'not-found'): T {
  if (outcome === undefined || outcome === 'not-found') throw notFound('Product');
  return outcome;
}
