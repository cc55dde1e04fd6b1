/** The input for orders, and how their items get names and prices. */
import { invalidInput } from '../../model/error.js';
import { withoutReadOnly } from '../../model/fields.js';
import { maxOrderItems, maxQuantity, orderTotal, type OrderItem } from '../../model/order.js';
import { decimalOf, parsePrice, productNameBounds, type Product } from '../../model/product.js';
import { checkText } from '../../model/text.js';
import type { NewOrder, NewOrderItem } from '../../ports/order-store.js';
import type { ProductStore } from '../../ports/product-store.js';

/** Either a product, or an item with its own name and price. */
export type OrderItemInput =
  | { readonly productId: string; readonly quantity: number }
  /** `unitPrice` is a decimal amount: 19.99. */
  | { readonly name: string; readonly unitPrice: number; readonly quantity: number };

/** An item that replaces others. An item of a product may have the name and price that the caller has read. */
export type OrderItemReplacement = OrderItemInput | ProductItemAsRead;

interface ProductItemAsRead extends Pick<OrderItem, 'quantity'> {
  readonly productId: string;
  readonly name: string | undefined;
  readonly unitPrice: number | undefined;
}

export interface OrderInput {
  /** The caller's id when undefined; required when no user is signed in. */
  readonly userId: string | undefined;
  readonly items: readonly OrderItemInput[];
}

export interface OrderReplacement {
  /** Undefined, or the order's user. */
  readonly userId: string | undefined;
  readonly items: readonly OrderItemReplacement[];
}

/**
 * @param stored the items that are replaced: an item of a product that comes back unchanged keeps its name and price, even if its
 *   product has changed or was deleted
 * @returns the items and their total; all other items of products have the current names and prices
 * @throws ServiceError `invalid-input` naming the item, also for a product that does not exist
 */
export async function priceItems(
  inputs: readonly OrderItemReplacement[],
  store: ProductStore,
  stored: readonly OrderItem[] = [],
): Promise<Pick<NewOrder, 'items' | 'totalCents'>> {
  if (inputs.length < 1 || inputs.length > maxOrderItems) {
    throw invalidInput('items', `must be 1 to ${maxOrderItems}`);
  }
  const productIds = inputs.flatMap((input) => ('productId' in input ? [input.productId] : []));
  const found = productIds.length > 0 ? await store.findMany(productIds) : [];
  const products = new Map(found.flatMap((product) => (product ? [[product.id, product]] : [])));
  const items = inputs.map((input, index) => priceItem(`items/${index}`, input, products, stored));
  return { items, totalCents: orderTotal(items) };
}

function priceItem(
  place: string,
  input: OrderItemReplacement,
  products: ReadonlyMap<string, Product>,
  stored: readonly OrderItem[],
): NewOrderItem {
  const { quantity } = input;
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > maxQuantity) {
    throw invalidInput(`${place}/quantity`, `must be a whole number from 1 to ${maxQuantity}`);
  }
  if ('productId' in input) {
    const product = products.get(input.productId);
    const asRead: ProductItemAsRead = { name: undefined, unitPrice: undefined, ...input };
    const kept = stored.find((item) => isAsRead(item, asRead));
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
