/** The import of orders in any status, with the same checks and prices as in the service. */
import { invalidInput, type ServiceError } from '../../model/error.js';
import { compareIds, type Id } from '../../model/id.js';
import type { OrderStatus } from '../../model/order.js';
import type { Storage } from '../../ports/storage.js';
import type { TableRow } from '../../ports/store-rows.js';
import {
  asRefusal,
  keptId,
  requireId,
  timesOf,
  type ImportedTimes,
  type Importer,
} from '../context/importer.js';
import { priceItems, type OrderItemInput } from './order-items.js';

/** An item with a name and a price may also name its product. */
export type OrderItemImport = OrderItemInput & { readonly id?: Id; readonly productId?: Id };

export interface OrderImport extends ImportedTimes {
  /** The id that it keeps, with those of its user, items and products, even if these are gone. */
  readonly id?: Id;
  /** The user who ordered: by id, or by email if ids differ between stores. An email of null means that the user was deleted. */
  readonly userId: string | undefined;
  readonly userEmail: string | null | undefined;
  readonly status: OrderStatus | undefined;
  readonly items: readonly OrderItemImport[];
}

export class OrderImporter implements Importer<OrderImport> {
  readonly #storage: Storage;
  readonly #now: string;

  constructor(storage: Storage, now: string) {
    this.#storage = storage;
    this.#now = now;
  }

  check(inputs: readonly OrderImport[]): Promise<readonly (TableRow | ServiceError)[]> {
    return Promise.all(inputs.map((input) => this.#check(input).catch(asRefusal)));
  }

  async #check(input: OrderImport): Promise<TableRow> {
    const { items, status = 'pending' } = input;
    const times = timesOf(input, this.#now);
    const userId = await this.#userOf(input);
    const priced = await priceItems(items.map(asInput), this.#storage.products);
    const products = await this.#productsOf(items);
    const rows = priced.items.map((item, index) => {
      const { id, productId } = items[index] ?? {};
      // In another store the id may belong to another product, so the name must match too.
      const isSame = productId !== undefined && (input.id ?? products.get(productId) === item.name) !== false;
      const keptItemId = input.id === undefined ? undefined : id;
      return { ...item, ...(isSame && { productId }), id: keptItemId ?? String(index + 1) };
    });
    const lastItemId = rows.reduce<Id>((last, { id }) => (compareIds(last, id) > 0 ? last : id), '0');
    return {
      table: 'orders',
      row: { ...keptId(input), userId, status, totalCents: priced.totalCents, lastItemId, ...times },
      parts: { table: 'order_items', rows },
    };
  }

  async #userOf({ id, userId, userEmail }: OrderImport): Promise<Id> {
    const { users } = this.#storage;
    if (id !== undefined && userId !== undefined) return requireId('userId', userId);
    if (userEmail === null) throw invalidInput('userEmail', 'is empty: the user of this order is gone');
    if (userEmail !== undefined) {
      const found = await users.findCredentials(userEmail);
      if (found === undefined) throw invalidInput('userEmail', 'must be the email of a user');
      return found.user.id;
    }
    if (userId === undefined) throw invalidInput('userId', 'or userEmail is required');
    if ((await users.find(userId)) === undefined) throw invalidInput('userId', 'must be the id of a user');
    return userId;
  }

  async #productsOf(items: readonly OrderItemImport[]): Promise<ReadonlyMap<Id, string>> {
    const ids = items.flatMap((item) => ('unitPrice' in item && item.productId ? [item.productId] : []));
    const found = ids.length > 0 ? await this.#storage.products.findMany(ids) : [];
    return new Map(found.flatMap((product) => (product ? [[product.id, product.name]] : [])));
  }
}

/** An item with a price keeps it, even if its product now has another price. */
function asInput(item: OrderItemImport): OrderItemInput {
  if (!('unitPrice' in item)) return item;
  const { name, unitPrice, quantity } = item;
  return { name, unitPrice, quantity };
}
