/** The orders of the SQL storages. */
import { parseId, type Id } from '../../model/id.js';
import type { Order, OrderItem, OrderSummary } from '../../model/order.js';
import type { Timestamp } from '../../model/timestamp.js';
import type {
  NewOrder,
  NewOrderItem,
  OrderChange,
  OrderCondition,
  OrderFilter,
  OrderStore,
} from '../../ports/order-store.js';
import type { Slice } from '../../ports/slice.js';
import { OrderQueries } from './order-queries.js';
import { orderOf, ordersOf } from './order-rows.js';
import { distinctIds, listsByOwner } from './owners.js';
import type { SqlSession } from './session.js';
import { rowOf, rowsOf, type Step } from './step.js';

export class SqlOrders implements OrderStore {
  readonly #session: SqlSession;
  readonly #queries: OrderQueries;

  constructor(session: SqlSession) {
    this.#session = session;
    this.#queries = new OrderQueries(session);
  }

  create(order: NewOrder, now: Timestamp): Promise<Order | 'user-not-found'> {
    return this.#session.runAtomically(() => this.#create(order, now));
  }

  *#create(order: NewOrder, now: Timestamp): Step<Order | 'user-not-found'> {
    if (parseId(order.userId) === undefined) return 'user-not-found';
    const row = yield* rowOf(this.#queries.insert(order, now));
    if (row === undefined) return 'user-not-found';
    const id = String(row.id);
    const items = yield* this.#addItems(id, order.items, 0);
    const { userId, totalCents } = order;
    return { id, userId, status: 'pending', items, totalCents, createdAt: now, updatedAt: now, version: 1 };
  }

  find(id: string): Promise<Order | undefined> {
    return this.#session.run(() => this.#find(id));
  }

  *#find(id: string): Step<Order | undefined> {
    if (parseId(id) === undefined) return undefined;
    return ordersOf(yield* rowsOf(this.#queries.byId.with(id)))[0];
  }

  list(filter: OrderFilter, slice: Slice): Promise<readonly Order[]> {
    return this.#session.run(() => this.#list(filter, slice));
  }

  *#list(filter: OrderFilter, slice: Slice): Step<readonly Order[]> {
    if (matchesNobody(filter)) return [];
    return ordersOf(yield* rowsOf(this.#queries.list(filter, slice)));
  }

  count(filter: OrderFilter): Promise<number> {
    return this.#session.run(() => this.#count(filter));
  }

  *#count(filter: OrderFilter): Step<number> {
    if (matchesNobody(filter)) return 0;
    return Number((yield* rowOf(this.#queries.count(filter)))?.count);
  }

  summarize(userIds: readonly string[], limit: number): Promise<readonly (readonly OrderSummary[])[]> {
    return this.#session.run(() => this.#summarize(userIds, limit));
  }

  *#summarize(userIds: readonly string[], limit: number): Step<readonly (readonly OrderSummary[])[]> {
    const users = distinctIds(userIds);
    const rows = users.length > 0 ? yield* rowsOf(this.#queries.summaries(users, limit)) : [];
    const lists = listsByOwner(userIds, rows, (row) => String(row.user_id));
    return lists.map((list) =>
      list.map((row) => ({ id: String(row.id), totalCents: Number(row.total_cents) })),
    );
  }

  update(
    id: string,
    change: OrderChange,
    condition: OrderCondition,
    now: Timestamp,
  ): Promise<Order | 'not-found' | 'changed'> {
    return this.#session.runAtomically(() => this.#update(id, change, condition, now));
  }

  *#update(
    id: string,
    change: OrderChange,
    condition: OrderCondition,
    now: Timestamp,
  ): Step<Order | 'not-found' | 'changed'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.update(id, change, condition, now));
    if (row === undefined) return yield* this.#refusal(id);
    if ('status' in change) return (yield* this.#find(id)) ?? 'not-found';
    yield* rowsOf(this.#queries.deleteItems(id));
    const before = Number(row.last_item_id) - change.items.length;
    return orderOf(row, yield* this.#addItems(id, change.items, before));
  }

  delete(id: string, condition: OrderCondition): Promise<'deleted' | 'not-found' | 'changed'> {
    return this.#session.run(() => this.#delete(id, condition));
  }

  *#delete(id: string, condition: OrderCondition): Step<'deleted' | 'not-found' | 'changed'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.delete(id, condition));
    return row === undefined ? yield* this.#refusal(id) : 'deleted';
  }

  /** @param lastId - the greatest item id that the order has ever had */
  *#addItems(orderId: Id, items: readonly NewOrderItem[], lastId: number): Step<readonly OrderItem[]> {
    const added = items.map((item, index) => ({ ...item, id: String(lastId + index + 1) }));
    if (added.length > 0) yield* rowsOf(this.#queries.insertItems(orderId, added));
    return added;
  }

  /** Why a write found no order with this id that meets its condition. */
  *#refusal(id: Id): Step<'not-found' | 'changed'> {
    return (yield* rowOf(this.#queries.byId.with(id))) === undefined ? 'not-found' : 'changed';
  }
}

function matchesNobody({ userId }: OrderFilter): boolean {
  return userId !== undefined && parseId(userId) === undefined;
}
