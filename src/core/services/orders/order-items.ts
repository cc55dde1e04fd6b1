/** The input for orders, how their items get names and prices. */
import { isDeepStrictEqual } from 'node:util';
import { conflict, invalidInput } from '../../model/error.js';
import { withoutReadOnly } from '../../model/fields.js';
import {
  maxOrderItems,
  maxQuantity,
  orderTotal,
  type Order,
  type OrderItem,
  type OrderStatus,
} from '../../model/order.js';
import { decimalOf, parsePrice, productNameBounds, type Product } from '../../model/product.js';
import type { Id } from '../../model/id.js';
import type { StoredChange, StoredOf } from '../../model/stored.js';
import { checkText } from '../../model/text.js';
import type { NewOrder, NewOrderItem, OrderChange } from '../../ports/order-store.js';
import type { ProductStore } from '../../ports/product-store.js';
import type { Caller } from '../rights/caller.js';
import type { Rights } from '../rights/rights.js';

type Products = Pick<ProductStore, 'findMany'>;

/** Either a product, or an item with its own name and price. */
export type OrderItemInput =
  | { readonly productId: string; readonly quantity: number }
  /** `unitPrice` is a decimal amount: 19.99. */
  | { readonly name: string; readonly unitPrice: number; readonly quantity: number };

/** An item that replaces others. An item of a product may have the name and price that the caller has read. */
export type OrderItemReplacement = OrderItemInput | ProductItemAsRead;

interface ProductItemAsRead extends Pick<OrderItem, 'quantity'> {
  readonly productId: string;
  readonly name?: string | undefined;
  readonly unitPrice?: number | undefined;
}

export interface OrderInput {
  /** The caller's id when undefined; required when no user is signed in. */
  readonly userId?: string | undefined;
  readonly items: readonly OrderItemInput[];
  readonly stored?: StoredOf<'Order'> | undefined;
}

export interface OrderReplacement {
  /** The user of the order, who cannot be changed: another id is refused, and clients may leave it out. */
  readonly userId?: string | undefined;
  readonly items: readonly OrderItemReplacement[];
  readonly stored?: StoredOf<'Order'> | undefined;
}

/** The fields of an order to change beside its status; what is not given stays. */
export interface OrderItemsPatch {
  readonly items?: readonly OrderItemReplacement[] | undefined;
  readonly stored?: StoredChange<'Order'>;
}

/** Either a status with values of stored fields, or items with them. */
export interface OrderPatch extends OrderItemsPatch {
  readonly status?: OrderStatus | undefined;
}

/**
 * @param current the items that are replaced: an item of a product that comes back unchanged keeps its name and price, even if its
 *   product has changed or was deleted
 * @returns the items and their total; all other items of products have the current names and prices
 * @throws ServiceError `invalid-input` naming the item, also for a product that does not exist
 */
async function priceItems(
  inputs: readonly OrderItemReplacement[],
  store: Products,
  current: readonly OrderItem[] = [],
): Promise<Pick<NewOrder, 'items' | 'totalCents'>> {
  if (inputs.length < 1 || inputs.length > maxOrderItems) {
    throw invalidInput('items', `must be 1 to ${maxOrderItems}`);
  }
  const productIds = inputs.flatMap((input) => ('productId' in input ? [input.productId] : []));
  const found = productIds.length > 0 ? await store.findMany(productIds) : [];
  const products = new Map(found.flatMap((product) => (product ? [[product.id, product]] : [])));
  const items = inputs.map((input, index) => priceItem(`items/${index}`, input, products, current));
  return { items, totalCents: orderTotal(items) };
}

/** The products that the caller may read: an item of another would show its name and price. */
export function productsFor(caller: Caller, rights: Rights, products: Products): Products {
  if (!rights.needsRecord('products.read')) return products;
  const shown = (product?: Product) =>
    product && rights.hides(caller, 'products.read', product) ? undefined : product;
  return { findMany: async (ids) => (await products.findMany(ids)).map(shown) };
}

/** @param userId - the user of an order whose input names none */
export async function pricedOrder(userId: Id, input: OrderInput, store: Products): Promise<NewOrder> {
  const { items, totalCents } = await priceItems(input.items, store);
  return { userId: input.userId ?? userId, items, totalCents, stored: input.stored };
}

/** The change of an order whose items are replaced. */
export async function replacedItems(
  order: Order,
  input: Pick<OrderReplacement, 'items'> & Partial<Pick<OrderReplacement, 'userId'>> & OrderItemsPatch,
  store: Products,
): Promise<OrderChange> {
  if (input.userId !== undefined && input.userId !== order.userId) {
    throw invalidInput('userId', 'must be that of the order, which stays with its user');
  }
  if (order.status !== 'pending') {
    throw conflict(`An order's items can be replaced only while it is pending; this one is ${order.status}`);
  }
  const change = await priceItems(input.items, store, order.items);
  const items = order.items.map((item) => withoutReadOnly(item, 'id'));
  const written = isDeepStrictEqual(change.items, items) ? { status: order.status } : change;
  return { ...written, stored: input.stored };
}

function priceItem(
  place: string,
  input: OrderItemReplacement,
  products: ReadonlyMap<string, Product>,
  current: readonly OrderItem[],
): NewOrderItem {
  const { quantity } = input;
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > maxQuantity) {
    throw invalidInput(`${place}/quantity`, `must be a whole number from 1 to ${maxQuantity}`);
  }
  if ('productId' in input) {
    const product = products.get(input.productId);
    const asRead: ProductItemAsRead = { name: undefined, unitPrice: undefined, ...input };
    const kept = current.find((item) => isAsRead(item, asRead));
    const isComplete = asRead.name !== undefined && asRead.unitPrice !== undefined;
    if (kept !== undefined && (isComplete || product === undefined)) return withoutReadOnly(kept, 'id');
    if (product === undefined) throw invalidInput(`${place}/productId`, 'must be the id of a product');
    return { productId: product.id, name: product.name, quantity, unitPriceCents: product.priceCents };
  }
  checkText(`${place}/name`, input.name, productNameBounds);
  const unitPriceCents = parsePrice(`${place}/unitPrice`, input.unitPrice);
  return { productId: undefined, name: input.name, quantity, unitPriceCents };
}

function isAsRead(item: OrderItem, { productId, quantity, name, unitPrice }: ProductItemAsRead): boolean {
  return (
    item.productId === productId &&
    item.quantity === quantity &&
    (name === undefined || name === item.name) &&
    (unitPrice === undefined || unitPrice === decimalOf(item.unitPriceCents))
  );
}

/** @throws ServiceError for an order of a user who does not exist */
export function created<T extends object>(outcome: T | 'user-not-found'): T {
  if (outcome === 'user-not-found') throw invalidInput('userId', 'must be the id of a user');
  return outcome;
}
