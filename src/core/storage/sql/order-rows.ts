/** Reads orders with their items from joined rows, and writes items to rows. */
import type { Selectable } from 'kysely';
import type { Id } from '../../model/id.js';
import type { Order, OrderItem } from '../../model/order.js';
import type { InsertedColumns, OrderItemsTable, OrdersTable, SqlInteger } from './query/schema.js';

/** An order without its items. */
export type OrderRow = Selectable<OrdersTable>;

interface ItemRow {
  readonly item_id: SqlInteger;
  readonly product_id: SqlInteger | null;
  readonly item_name: string;
  readonly quantity: SqlInteger;
  readonly unit_price_cents: SqlInteger;
}

/** An order with one of its items, or with nulls when it has none. */
export type OrderItemRow = OrderRow & { readonly [Column in keyof ItemRow]: ItemRow[Column] | null };

/** @param rows - the rows of an order must be consecutive and in the order of its items */
export function ordersOf(rows: readonly OrderItemRow[]): readonly Order[] {
  const orders: Order[] = [];
  let items: OrderItem[] = [];
  let lastId: Id | undefined;
  for (const row of rows) {
    const id = String(row.id);
    if (id !== lastId) {
      items = [];
      orders.push(orderOf(row, items));
      lastId = id;
    }
    if (hasItem(row)) items.push(itemOf(row));
  }
  return orders;
}

export function orderOf(row: OrderRow, items: readonly OrderItem[]): Order {
  return {
    id: String(row.id),
    userId: String(row.user_id),
    status: row.status,
    items,
    totalCents: Number(row.total_cents),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: Number(row.version),
  };
}

function hasItem(row: OrderItemRow): row is OrderRow & ItemRow {
  return row.item_id !== null;
}

function itemOf(row: ItemRow): OrderItem {
  return {
    id: String(row.item_id),
    productId: row.product_id === null ? undefined : String(row.product_id),
    name: row.item_name,
    quantity: Number(row.quantity),
    unitPriceCents: Number(row.unit_price_cents),
  };
}

/** The values to insert for an item. */
export function itemValues(orderId: Id, item: OrderItem): InsertedColumns<OrderItemsTable> {
  return {
    order_id: orderId,
    id: item.id,
    product_id: item.productId ?? null,
    name: item.name,
    quantity: item.quantity,
    unit_price_cents: item.unitPriceCents,
  };
}
