/** An order and its items, with the name and price of the time they were ordered. */
import type { Id } from './id.js';
import type { Cents } from './money.js';
import type { OrderStatus } from './order-status.js';
import type { Timestamp } from './timestamp.js';

export interface OrderItem {
  /** Unique among all items that the order has or had. */
  readonly id: Id;
  /** The product that the item was made from, which may have been deleted. */
  readonly productId: Id | undefined;
  readonly name: string;
  readonly quantity: number;
  readonly unitPriceCents: Cents;
}

export interface Order {
  readonly id: Id;
  /** The user whose order it is, who may have been deleted; it never changes. */
  readonly userId: Id;
  readonly status: OrderStatus;
  /** 1 to 100 items, in the given order. */
  readonly items: readonly OrderItem[];
  readonly totalCents: Cents;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Counts the writes to this record from 1. */
  readonly version: number;
}

/** An order in brief. */
export type OrderSummary = Pick<Order, 'id' | 'totalCents'>;

export const maxOrderItems = 100;
export const maxQuantity = 10_000;

/** The sum of quantity times unit price, to the cent. */
export function orderTotal(items: readonly Pick<OrderItem, 'quantity' | 'unitPriceCents'>[]): Cents {
  return items.reduce((total, { quantity, unitPriceCents }) => total + quantity * unitPriceCents, 0);
}
