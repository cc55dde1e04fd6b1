/** An order, its items and comments, and the table of allowed steps between its states. */
import { conflict } from './error.js';
import type { Id } from './id.js';
import type { Cents } from './product.js';
import type { StoredOf } from './stored.js';
import type { TextBounds } from './text.js';
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
  /** The user who owns the order, and who may have been deleted; it never changes. */
  readonly userId: Id;
  readonly status: OrderStatus;
  /** 1 to 100 items, in the given order. */
  readonly items: readonly OrderItem[];
  readonly totalCents: Cents;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Counts the writes to this record from 1. */
  readonly version: number;
  readonly stored?: StoredOf<'Order'> | undefined;
}

/** A short form of an order. */
export type OrderSummary = Pick<Order, 'id' | 'totalCents'>;

export const maxOrderItems = 100;
export const maxQuantity = 10_000;

/** The sum of quantity times unit price, to the cent. */
export function orderTotal(items: readonly Pick<OrderItem, 'quantity' | 'unitPriceCents'>[]): Cents {
  return items.reduce((total, { quantity, unitPriceCents }) => total + quantity * unitPriceCents, 0);
}

export const orderStatuses = ['pending', 'processing', 'completed', 'cancelled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The ways to move an order: a status change that names the new state, or a separate action. */
export type OrderMove = 'status change' | 'cancel' | 'refund';

/** For each target state: the kind of step that leads to it, and the states from which it may start. */
const steps: Readonly<
  Record<OrderStatus, { readonly by?: OrderMove; readonly from: readonly OrderStatus[] }>
> = {
  pending: { from: [] },
  processing: { by: 'status change', from: ['pending'] },
  completed: { by: 'status change', from: ['processing'] },
  cancelled: { by: 'cancel', from: ['pending', 'processing'] },
  refunded: { by: 'refund', from: ['completed'] },
};

/** @throws ServiceError `conflict`, which names the states that allow the step, unless this one does */
export function checkStep(from: OrderStatus, to: OrderStatus, by: OrderMove): void {
  const step = steps[to];
  if (step.by === by && step.from.includes(from)) return;
  if (step.by === undefined) throw conflict(`An order is ${to} only when it is new; this one is ${from}`);
  throw conflict(
    `An order becomes ${to} only by ${step.by} from ${step.from.join(' or ')}; this one is ${from}`,
  );
}

export interface Comment {
  readonly id: Id;
  readonly orderId: Id;
  /** The user who wrote it. */
  readonly userId: Id;
  readonly text: string;
  readonly createdAt: Timestamp;
  readonly stored?: StoredOf<'Comment'> | undefined;
}

export const commentTextBounds: TextBounds = { min: 1, max: 5_000 };
