/** The orders of the memory storage. */
import type { Order, OrderItem, OrderSummary } from '../../model/order.js';
import { latestOf, type Timestamp } from '../../model/timestamp.js';
import type { ImportedOrder } from '../../ports/import-store.js';
import type {
  NewOrder,
  NewOrderItem,
  OrderChange,
  OrderCondition,
  OrderFilter,
  OrderStore,
} from '../../ports/order-store.js';
import type { Slice } from '../../ports/slice.js';
import type { Table } from './table.js';
import type { Tables } from './tables.js';

/** No method awaits anything, so each is atomic. */
export class MemoryOrders implements OrderStore {
  readonly #tables: Tables;
  #lastItemId = 0;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create(order: NewOrder, now: Timestamp): Promise<Order | 'user-not-found'> {
    return Promise.resolve(this.addPending(order, now));
  }

  /** Does the work of `create` synchronously, for methods that must stay atomic. */
  addPending(order: NewOrder, now: Timestamp): Order | 'user-not-found' {
    if (this.#tables.users.get(order.userId) === undefined) return 'user-not-found';
    return this.add({ ...order, status: 'pending', createdAt: now, updatedAt: now });
  }

  /** Adds an order of a user who exists. */
  add({ userId, status, items, totalCents, createdAt, updatedAt }: ImportedOrder): Order {
    const order = Object.freeze<Order>({
      id: this.#tables.orders.nextId(),
      userId,
      status,
      items: this.#newItems(items),
      totalCents,
      createdAt,
      updatedAt,
      version: 1,
    });
    this.#tables.orders.add(order);
    return order;
  }

  find(id: string): Promise<Order | undefined> {
    return Promise.resolve(this.#tables.orders.get(id));
  }

  list(filter: OrderFilter, slice: Slice): Promise<readonly Order[]> {
    return Promise.resolve(this.#rowsOf(filter)?.slice(slice) ?? []);
  }

  count(filter: OrderFilter): Promise<number> {
    return Promise.resolve(this.#rowsOf(filter)?.count() ?? 0);
  }

  summarize(userIds: readonly string[], limit: number): Promise<readonly (readonly OrderSummary[])[]> {
    const summarize = ({ id, totalCents }: Order): OrderSummary => ({ id, totalCents });
    return Promise.resolve(
      userIds.map((userId) => {
        const orders = this.#tables.ordersByUser.get(userId);
        return orders?.slice({ after: undefined, limit }).map(summarize) ?? [];
      }),
    );
  }

  update(
    id: string,
    change: OrderChange,
    condition: OrderCondition,
    now: Timestamp,
  ): Promise<Order | 'not-found' | 'changed'> {
    const order = this.#tables.orders.get(id);
    if (order === undefined) return Promise.resolve('not-found');
    if (!meets(order, condition)) return Promise.resolve('changed');
    const written = 'status' in change ? change : { ...change, items: this.#newItems(change.items) };
    const changed = Object.freeze<Order>({
      ...order,
      ...written,
      updatedAt: latestOf(now, order.updatedAt),
      version: order.version + 1,
    });
    this.#tables.orders.replace(changed);
    return Promise.resolve(changed);
  }

  delete(id: string, condition: OrderCondition): Promise<'deleted' | 'not-found' | 'changed'> {
    const order = this.#tables.orders.get(id);
    if (order === undefined) return Promise.resolve('not-found');
    if (!meets(order, condition)) return Promise.resolve('changed');
    this.#tables.deleteOrder(id);
    return Promise.resolve('deleted');
  }

  #newItems(items: readonly NewOrderItem[]): readonly OrderItem[] {
    return Object.freeze(
      items.map(({ productId, name, quantity, unitPriceCents }) =>
        Object.freeze<OrderItem>({
          id: String(++this.#lastItemId),
          productId,
          name,
          quantity,
          unitPriceCents,
        }),
      ),
    );
  }

  #rowsOf({ userId }: OrderFilter): Table<Order> | undefined {
    return userId === undefined ? this.#tables.orders : this.#tables.ordersByUser.get(userId);
  }
}

function meets(order: Order, { status, version }: OrderCondition): boolean {
  return order.status === status && (version === undefined || order.version === version);
}
