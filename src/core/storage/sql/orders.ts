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
import type { SqlRunner } from './runner.js';
import { rowOf, rowsOf, type SqlTask } from './task.js';

export class SqlOrders implements OrderStore {
  readonly #runner: SqlRunner;
  readonly #queries: OrderQueries;

  constructor(runner: SqlRunner) {
    this.#runner = runner;
    this.#queries = new OrderQueries(runner);
  }

  create(order: NewOrder, now: Timestamp): Promise<Order | 'user-not-found'> {
    return this.#runner.runAtomically(() => this.creation(order, now));
  }

  /** The work of `create`, for a transaction that does more. */
  *creation(order: NewOrder, now: Timestamp): SqlTask<Order | 'user-not-found'> {
    if (parseId(order.userId) === undefined) return 'user-not-found';
    const row = yield* rowOf(this.#queries.insert(order, now));
    if (row === undefined) return 'user-not-found';
    const id = String(row.id);
    const items = yield* this.#addItems(id, order.items, 0);
    const { userId, totalCents } = order;
    return { id, userId, status: 'pending', items, totalCents, createdAt: now, updatedAt: now, version: 1 };
  }

  find(id: string): Promise<Order | undefined> {
    return this.#runner.run(() => this.#find(id));
  }

  *#find(id: string): SqlTask<Order | undefined> {
    if (parseId(id) === undefined) return undefined;
    return ordersOf(yield* rowsOf(this.#queries.byId.with(id)))[0];
  }

  list(filter: OrderFilter, slice: Slice): Promise<readonly Order[]> {
    return this.#runner.run(() => this.#list(filter, slice));
  }

  *#list(filter: OrderFilter, slice: Slice): SqlTask<readonly Order[]> {
    if (matchesNobody(filter)) return [];
    return ordersOf(yield* rowsOf(this.#queries.list(filter, slice)));
  }

  count(filter: OrderFilter): Promise<number> {
    return this.#runner.run(() => this.#count(filter));
  }

  *#count(filter: OrderFilter): SqlTask<number> {
    if (matchesNobody(filter)) return 0;
    return Number((yield* rowOf(this.#queries.count(filter)))?.count);
  }

  summarize(userIds: readonly string[], limit: number): Promise<readonly (readonly OrderSummary[])[]> {
    return this.#runner.run(() => this.#summarize(userIds, limit));
  }

  *#summarize(userIds: readonly string[], limit: number): SqlTask<readonly (readonly OrderSummary[])[]> {
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
    return this.#runner.runAtomically(() => this.#update(id, change, condition, now));
  }

  *#update(
    id: string,
    change: OrderChange,
    condition: OrderCondition,
    now: Timestamp,
  ): SqlTask<Order | 'not-found' | 'changed'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.update(id, change, condition, now));
    if (row === undefined) return yield* this.#refusal(id);
    if ('status' in change) return (yield* this.#find(id)) ?? 'not-found';
    yield* rowsOf(this.#queries.deleteItems(id));
    const before = Number(row.last_item_id) - change.items.length;
    return orderOf(row, yield* this.#addItems(id, change.items, before));
  }

  delete(id: string, condition: OrderCondition): Promise<'deleted' | 'not-found' | 'changed'> {
    return this.#runner.run(() => this.#delete(id, condition));
  }

  *#delete(id: string, condition: OrderCondition): SqlTask<'deleted' | 'not-found' | 'changed'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.delete(id, condition));
    return row === undefined ? yield* this.#refusal(id) : 'deleted';
  }

  /** @param lastId - the greatest item id that the order has ever had */
  *#addItems(orderId: Id, items: readonly NewOrderItem[], lastId: number): SqlTask<readonly OrderItem[]> {
    const added = items.map((item, index) => ({ ...item, id: String(lastId + index + 1) }));
    if (added.length > 0) yield* rowsOf(this.#queries.insertItems(orderId, added));
    return added;
  }

  /** Why a write found no order with this id that meets its condition. */
  *#refusal(id: Id): SqlTask<'not-found' | 'changed'> {
    return (yield* rowOf(this.#queries.byId.with(id))) === undefined ? 'not-found' : 'changed';
  }
}

function matchesNobody({ userId }: OrderFilter): boolean {
  return userId !== undefined && parseId(userId) === undefined;
}
