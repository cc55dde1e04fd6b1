/** The orders of the SQL storages, and the comments on them. */
import { type Compilable, sql, type Selectable, type SelectQueryBuilder } from 'kysely';
import { parseId, type Id } from '../../model/id.js';
import type { Comment, Order, OrderItem } from '../../model/order.js';
import { withStored } from '../../model/stored.js';
import type {
  NewOrderItem,
  OrderFilter,
  OrderStore,
  CommentFilter,
  CommentStore,
} from '../../ports/order-store.js';
import { distinctIds, insertOfUser, listsByOwner, notBefore } from './query/clauses.js';
import { insertedOf, selectionOf } from './query/columns.js';
import { pagesOf, type Selection, listedRecordsIn } from './query/pages.js';
import type { SqlInteger } from './query/query.js';
import { PreparedQuery, rowOf, rowsOf, type SqlTask, type SqlRunner, type TasksOf } from './query/runner.js';
import { itemColumns, orderColumns, type Tables, commentColumns } from './query/schema.js';
import { changedStored, insertedStored, keptColumns, storedConditions } from './query/stored.js';

export function orderTasks(runner: SqlRunner): TasksOf<OrderStore> {
  const { builder, dialect } = runner;
  const columns = selectionOf(keptColumns(runner, 'Order', orderColumns), dialect, 'orders');
  const orders = builder.selectFrom('orders').selectAll();
  const byId = new PreparedQuery('orders.byId', withItems(orders.where('id', '=', '1')));
  const { list, count } = pagesOf(runner, 'orders', (some) => withItems(some.selectAll()), ordersOf);

  /** Reads orders and items in one query, so that both come from the same snapshot. */
  function withItems(
    some: SelectQueryBuilder<Tables, 'orders', Selectable<Tables['orders']>>,
  ): Compilable<OrderItemRow> {
    return builder
      .selectFrom(some.as('orders'))
      .leftJoin('order_items as items', 'items.order_id', 'orders.id')
      .select(columns)
      .select([
        'items.id as item_id',
        'items.product_id',
        'items.name',
        'items.quantity',
        'items.unit_price_cents',
      ])
      .orderBy('orders.id')
      .orderBy('items.id')
      .$castTo<OrderItemRow>();
  }

  /** The orders of a filter; undefined for every order. */
  function matching({ userId, stored }: OrderFilter): Selection<'orders'> | undefined {
    const conditions = storedConditions(runner, 'Order', stored);
    if (userId === undefined && conditions.length === 0) return undefined;
    const orders = builder.selectFrom('orders').where((eb) => eb.and(conditions));
    return {
      parts: [userId === undefined ? orders : orders.where('user_id', '=', userId)],
      counter: undefined,
    };
  }

  /** @param lastId - the greatest item id that the order has ever had */
  function* addItems(
    orderId: Id,
    items: readonly NewOrderItem[],
    lastId: number,
  ): SqlTask<readonly OrderItem[]> {
    const added = items.map((item, index) => ({ ...item, id: String(lastId + index + 1) }));
    const rows = added.map((item) => ({ order_id: orderId, ...insertedOf(itemColumns, item) }));
    if (rows.length > 0) yield* rowsOf(builder.insertInto('order_items').values(rows));
    return added;
  }

  /** The reason why a write found no order with this id that meets its condition. */
  function* refusal(id: Id): SqlTask<'not-found' | 'changed'> {
    return (yield* rowOf(byId.with(id))) === undefined ? 'not-found' : 'changed';
  }

  const tasks: TasksOf<OrderStore> = {
    *create({ userId, totalCents, items: newItems, stored }, now) {
      if (parseId(userId) === undefined) return 'user-not-found';
      const row = yield* rowOf(
        insertOfUser(builder, 'orders', 'user_id', userId, {
          status: 'pending',
          total_cents: totalCents,
          last_item_id: newItems.length,
          created_at: now,
          updated_at: now,
          ...insertedStored(runner, 'Order', stored),
        }).returning('id'),
      );
      if (row === undefined) return 'user-not-found';
      const id = String(row.id);
      const items = yield* addItems(id, newItems, 0);
      const times = { createdAt: now, updatedAt: now, version: 1 };
      return withStored<Order>({ id, userId, status: 'pending', items, totalCents, ...times }, stored);
    },

    *find(id) {
      if (parseId(id) === undefined) return undefined;
      return ordersOf(yield* rowsOf(byId.with(id)))[0];
    },

    *list(filter, slice) {
      return matchesNobody(filter) ? [] : yield* list(slice, matching(filter));
    },

    *count(filter) {
      return matchesNobody(filter) ? 0 : yield* count(matching(filter));
    },

    *summarize(userIds, limit) {
      const users = distinctIds(userIds);
      const summaries = builder
        .selectFrom('orders')
        .select(['id', 'user_id', 'total_cents'])
        .where('id', 'in', dialect.firstIdsOf('orders', 'user_id', users, limit))
        .orderBy('id');
      const rows = users.length > 0 ? yield* rowsOf(summaries) : [];
      const lists = listsByOwner(userIds, rows, (row) => String(row.user_id));
      return lists.map((list) =>
        list.map((row) => ({ id: String(row.id), totalCents: Number(row.total_cents) })),
      );
    },

    *update(id, change, { status, version }, now) {
      if (parseId(id) === undefined) return 'not-found';
      const stored = yield* changedStored(runner, 'Order', { id, status, version }, change.stored);
      if (stored === 'invalid') return stored;
      const update = builder
        .updateTable('orders')
        .set(({ eb }) => ({
          ...('status' in change
            ? { status: change.status }
            : {
                total_cents: change.totalCents,
                last_item_id: eb('last_item_id', '+', change.items.length),
              }),
          ...stored,
          updated_at: notBefore('updated_at', now),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .where('status', '=', status)
        .returning(columns)
        .returning('last_item_id')
        .$castTo<OrderRow & { readonly last_item_id: SqlInteger }>();
      const row = yield* rowOf(version === undefined ? update : update.where('version', '=', version));
      if (row === undefined) return yield* refusal(id);
      if ('status' in change) return (yield* tasks.find(id)) ?? 'not-found';
      yield* rowsOf(builder.deleteFrom('order_items').where('order_id', '=', id));
      const before = Number(row.last_item_id) - change.items.length;
      return orderOf(row, yield* addItems(id, change.items, before));
    },

    *delete(id, { status, version }) {
      if (parseId(id) === undefined) return 'not-found';
      const deletion = builder
        .deleteFrom('orders')
        .where('id', '=', id)
        .where('status', '=', status)
        .returning('id');
      const row = yield* rowOf(version === undefined ? deletion : deletion.where('version', '=', version));
      return row === undefined ? yield* refusal(id) : 'deleted';
    },
  };
  return tasks;
}

/** An order without its items. */
interface OrderRow extends Pick<Order, 'status' | 'createdAt' | 'updatedAt'> {
  readonly id: SqlInteger;
  readonly userId: SqlInteger;
  readonly totalCents: SqlInteger;
  readonly version: SqlInteger;
  readonly stored?: string | null;
}

/** An order with one of its items, or with nulls when it has none. */
interface OrderItemRow extends OrderRow {
  readonly item_id: SqlInteger | null;
  readonly product_id: SqlInteger | null;
  readonly name: string | null;
  readonly quantity: SqlInteger | null;
  readonly unit_price_cents: SqlInteger | null;
}

/** @param rows - the rows of an order must be consecutive and in the order of its items */
function ordersOf(rows: readonly OrderItemRow[]): readonly Order[] {
  const orders: Order[] = [];
  let items: OrderItem[] = [];
  let lastId: Id | undefined;
  for (const row of rows) {
    const { item_id, product_id, name, quantity, unit_price_cents } = row;
    const id = String(row.id);
    if (id !== lastId) {
      items = [];
      orders.push(orderOf(row, items));
      lastId = id;
    }
    if (item_id === null) continue;
    items.push({
      id: String(item_id),
      productId: product_id === null ? undefined : String(product_id),
      name: name ?? '',
      quantity: Number(quantity),
      unitPriceCents: Number(unit_price_cents),
    });
  }
  return orders;
}

/** Converts field by field, because the rows have columns of items too. */
function orderOf(row: OrderRow, items: readonly OrderItem[]): Order {
  const { stored } = row;
  return {
    id: String(row.id),
    userId: String(row.userId),
    status: row.status,
    items,
    totalCents: Number(row.totalCents),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    version: Number(row.version),
    ...(typeof stored === 'string' && { stored: JSON.parse(stored) as Order['stored'] }),
  };
}

function matchesNobody({ userId }: OrderFilter): boolean {
  return userId !== undefined && parseId(userId) === undefined;
}

export function commentTasks(runner: SqlRunner): TasksOf<CommentStore> {
  const { builder } = runner;
  const fields = keptColumns(runner, 'Comment', commentColumns);
  const { find, list, count } = listedRecordsIn(runner, 'comments', fields);

  /** The comments of a filter; undefined for every comment. */
  function matching({ orderId, concerning, stored }: CommentFilter): Selection<'comments'> | undefined {
    const conditions = storedConditions(runner, 'Comment', stored);
    if (orderId === undefined && concerning === undefined && conditions.length === 0) return undefined;
    let comments = builder.selectFrom('comments').where((eb) => eb.and(conditions));
    if (orderId !== undefined) comments = comments.where('order_id', '=', orderId);
    if (concerning === undefined) return { parts: [comments], counter: undefined };
    const parts = [
      comments.where('user_id', '=', concerning),
      comments.where('order_user_id', '=', concerning).where('user_id', '<>', concerning),
    ];
    return { parts, counter: undefined };
  }

  return {
    find,

    *create({ orderId, userId, text, stored }, now) {
      const own = Object.entries(insertedStored(runner, 'Comment', stored)) as ['stored', unknown][];
      if (parseId(orderId) === undefined) return 'order-not-found';
      if (parseId(userId) !== undefined) {
        const row = yield* rowOf(
          builder
            .insertInto('comments')
            .columns([
              'order_id',
              'user_id',
              'order_user_id',
              'text',
              'created_at',
              ...own.map(([name]) => name),
            ])
            .expression((eb) =>
              eb
                .selectFrom(['orders', 'users'])
                .where('orders.id', '=', orderId)
                .where('users.id', '=', userId)
                .select(['orders.id as order_id', 'users.id as user_id', 'orders.user_id as order_user_id'])
                .select([eb.val(text).as('text'), eb.val(now).as('created_at')])
                .select(own.map(([name, value]) => sql`${value}`.as(name))),
            )
            .returning('id'),
        );
        if (row !== undefined) {
          return withStored<Comment>({ id: String(row.id), orderId, userId, text, createdAt: now }, stored);
        }
      }
      const order = yield* rowOf(builder.selectFrom('orders').select('id').where('id', '=', orderId));
      return order === undefined ? 'order-not-found' : 'user-not-found';
    },

    *list(filter, slice) {
      return matchesNothing(filter) ? [] : yield* list(slice, matching(filter));
    },

    *count(filter) {
      return matchesNothing(filter) ? 0 : yield* count(matching(filter));
    },
  };
}

function matchesNothing({ orderId, concerning }: CommentFilter): boolean {
  return [orderId, concerning].some((id) => id !== undefined && parseId(id) === undefined);
}
