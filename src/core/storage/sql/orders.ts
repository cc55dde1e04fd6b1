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
import { orderOf, ordersOf, itemValues, type OrderItemRow, type OrderRow } from './order-rows.js';
import { distinctIds, listsByOwner } from './query/owners.js';
import type { SqlRunner, SqlDialect } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';
import type { Compilable, Selectable, SelectQueryBuilder } from 'kysely';
import { rowCount, type CountRow } from './query/counters.js';
import { notBefore } from './query/moments.js';
import { PreparedPages } from './query/prepared-pages.js';
import { PreparedQuery } from './query/prepared-query.js';
import type { OrdersTable, SqlInteger, Tables } from './query/schema.js';
import { stretchOf } from './query/slice.js';

interface OrderKey {
  readonly id: SqlInteger;
}

interface SummaryRow extends OrderKey {
  readonly user_id: SqlInteger;
  readonly total_cents: SqlInteger;
}

class OrderQueries {
  readonly #builder: SqlRunner['builder'];
  readonly #dialect: SqlDialect;
  readonly #columns: ReturnType<typeof orderColumns>;
  readonly #pages: PreparedPages<OrderItemRow>;
  readonly #countAll: PreparedQuery<CountRow>;

  readonly byId: PreparedQuery<OrderItemRow>;

  constructor({ builder, dialect }: SqlRunner) {
    this.#builder = builder;
    this.#dialect = dialect;
    this.#columns = orderColumns(dialect);
    const orders = builder.selectFrom('orders').selectAll();
    const pages = orders.where('id', '>', '0').orderBy('id');
    this.byId = new PreparedQuery('orders.byId', this.#withItems(orders.where('id', '=', '1')));
    this.#pages = new PreparedPages('orders.page', (limit) => this.#withItems(pages.limit(limit)));
    this.#countAll = rowCount(builder, 'orders');
  }

  list(filter: OrderFilter, slice: Slice): Compilable<OrderItemRow> {
    const { after, limit, offset } = stretchOf(slice);
    if (filter.userId === undefined && offset === 0) return this.#pages.with(after, limit);
    const orders = this.#matching(filter).selectAll().where('id', '>', after);
    return this.#withItems(orders.orderBy('id').limit(limit).offset(offset));
  }

  count(filter: OrderFilter): Compilable<CountRow> {
    if (filter.userId === undefined) return this.#countAll.with();
    return this.#matching(filter).select(({ fn }) => fn.countAll().as('count'));
  }

  summaries(users: readonly Id[], limit: number): Compilable<SummaryRow> {
    return this.#builder
      .selectFrom('orders')
      .select(['id', 'user_id', 'total_cents'])
      .where('id', 'in', this.#dialect.firstIdsOf('orders', 'user_id', users, limit))
      .orderBy('id');
  }

  #matching({ userId }: OrderFilter) {
    const orders = this.#builder.selectFrom('orders');
    return userId === undefined ? orders : orders.where('user_id', '=', userId);
  }

  /** Reads orders and items in one query, so that both come from the same snapshot. */
  #withItems(
    orders: SelectQueryBuilder<Tables, 'orders', Selectable<OrdersTable>>,
  ): Compilable<OrderItemRow> {
    return this.#builder
      .selectFrom(orders.as('orders'))
      .leftJoin('order_items as items', 'items.order_id', 'orders.id')
      .select(this.#columns)
      .select(['items.id as item_id', 'items.product_id', 'items.name as item_name'])
      .select(['items.quantity', 'items.unit_price_cents'])
      .orderBy('orders.id')
      .orderBy('items.id');
  }

  /** Returns no row when there is no such user. */
  insert({ userId, totalCents, items }: NewOrder, now: Timestamp): Compilable<OrderKey> {
    return this.#builder
      .insertInto('orders')
      .columns(['user_id', 'status', 'total_cents', 'last_item_id', 'created_at', 'updated_at'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .where('users.id', '=', userId)
          .select('users.id')
          .select([
            eb.val('pending').as('status'),
            eb.val(totalCents).as('total_cents'),
            eb.val(items.length).as('last_item_id'),
            eb.val(now).as('created_at'),
            eb.val(now).as('updated_at'),
          ]),
      )
      .returning('id');
  }

  /** Returns no row when no order with this id meets the condition. */
  update(id: Id, change: OrderChange, condition: OrderCondition, now: Timestamp): Compilable<OrderRow> {
    const update = this.#builder
      .updateTable('orders')
      .set(({ eb }) => ({
        ...('status' in change
          ? { status: change.status }
          : {
              total_cents: change.totalCents,
              last_item_id: eb('last_item_id', '+', change.items.length),
            }),
        updated_at: notBefore('updated_at', now),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .where('status', '=', condition.status)
      .returning(this.#columns);
    return condition.version === undefined ? update : update.where('version', '=', condition.version);
  }

  insertItems(orderId: Id, items: readonly OrderItem[]): Compilable<object> {
    return this.#builder.insertInto('order_items').values(items.map((item) => itemValues(orderId, item)));
  }

  deleteItems(orderId: Id): Compilable<object> {
    return this.#builder.deleteFrom('order_items').where('order_id', '=', orderId);
  }

  /** Returns no row when no order with this id meets the condition. */
  delete(id: Id, { status, version }: OrderCondition): Compilable<OrderKey> {
    const deletion = this.#builder
      .deleteFrom('orders')
      .where('id', '=', id)
      .where('status', '=', status)
      .returning('id');
    return version === undefined ? deletion : deletion.where('version', '=', version);
  }
}

function orderColumns({ moment }: SqlDialect) {
  return [
    'orders.id',
    'orders.user_id',
    'orders.status',
    'orders.total_cents',
    'orders.last_item_id',
    moment('orders.created_at').as('created_at'),
    moment('orders.updated_at').as('updated_at'),
    'orders.version',
  ] as const;
}

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
