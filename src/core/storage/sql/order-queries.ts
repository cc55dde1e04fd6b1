/** The queries behind the orders of the SQL storages. */
import type { Compilable, Selectable, SelectQueryBuilder } from 'kysely';
import type { Id } from '../../model/id.js';
import type { OrderItem } from '../../model/order.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewOrder, OrderChange, OrderCondition, OrderFilter } from '../../ports/order-store.js';
import type { Slice } from '../../ports/slice.js';
import { rowCount, type CountRow } from './counters.js';
import { notBefore } from './moments.js';
import { itemValues, type OrderItemRow, type OrderRow } from './order-rows.js';
import { PreparedPages } from './prepared-pages.js';
import { PreparedQuery } from './prepared-query.js';
import type { OrdersTable, SqlInteger, Tables } from './schema.js';
import type { SqlDialect, SqlRunner } from './runner.js';
import { stretchOf } from './slice.js';

export interface OrderKey {
  readonly id: SqlInteger;
}

export interface SummaryRow extends OrderKey {
  readonly user_id: SqlInteger;
  readonly total_cents: SqlInteger;
}

export class OrderQueries {
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
