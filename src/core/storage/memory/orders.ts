/** The orders of the memory storage, and the comments on them. */
import type { Order, OrderItem, Comment } from '../../model/order.js';
import { valuesOf, withStored } from '../../model/stored.js';
import { latestOf } from '../../model/timestamp.js';
import type {
  NewOrderItem,
  OrderCondition,
  OrderFilter,
  OrderStore,
  CommentFilter,
  CommentStore,
} from '../../ports/order-store.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryOrders(tables: MemoryTables): AtOnce<OrderStore> {
  const { orders, ordersByUser, users } = tables;
  const rowsOf = ({ userId }: OrderFilter) => (userId === undefined ? orders : ordersByUser.get(userId));

  return {
    create(order, now) {
      if (users.get(order.userId) === undefined) return 'user-not-found';
      const { userId, items, totalCents } = order;
      const made: Order = {
        id: orders.nextId(),
        userId,
        status: 'pending',
        items: newItems(tables, items),
        totalCents,
        createdAt: now,
        updatedAt: now,
        version: 1,
      };
      const created = Object.freeze(withStored(made, order.stored));
      orders.add(created);
      return created;
    },

    find: (id) => orders.get(id),
    list: (filter, slice) => rowsOf(filter)?.slice(slice, tables.testOf('Order', filter.stored)) ?? [],
    count: (filter) => rowsOf(filter)?.count(tables.testOf('Order', filter.stored)) ?? 0,

    summarize(userIds, limit) {
      const first = { after: undefined, limit };
      return userIds.map((userId) => {
        const found = ordersByUser.get(userId)?.slice(first) ?? [];
        return found.map(({ id, totalCents }) => ({ id, totalCents }));
      });
    },

    update(id, { stored, ...change }, condition, now) {
      const order = orders.get(id);
      if (order === undefined) return 'not-found';
      if (!meets(order, condition)) return 'changed';
      const values = valuesOf(stored, order.stored);
      if (values === 'invalid') return values;
      const written = 'status' in change ? change : { ...change, items: newItems(tables, change.items) };
      const fields: Order = {
        ...order,
        ...written,
        updatedAt: latestOf(now, order.updatedAt),
        version: order.version + 1,
      };
      const changed = Object.freeze(withStored(fields, values));
      orders.replace(changed);
      return changed;
    },

    delete(id, condition) {
      const order = orders.get(id);
      if (order === undefined) return 'not-found';
      if (!meets(order, condition)) return 'changed';
      tables.deleteOrder(id);
      return 'deleted';
    },
  };
}

function newItems(tables: MemoryTables, items: readonly NewOrderItem[]): readonly OrderItem[] {
  const made = items.map(({ productId, name, quantity, unitPriceCents }) => {
    const id = String(++tables.lastItemId);
    return Object.freeze<OrderItem>({ id, productId, name, quantity, unitPriceCents });
  });
  return Object.freeze(made);
}

function meets(order: Order, { status, version }: OrderCondition): boolean {
  return order.status === status && (version === undefined || order.version === version);
}

export function memoryComments(tables: MemoryTables): AtOnce<CommentStore> {
  const { comments, commentsByOrder, orders, users } = tables;
  const rowsOf = ({ orderId }: CommentFilter) =>
    orderId === undefined ? comments : commentsByOrder.get(orderId);

  function testOf({ concerning, stored }: CommentFilter): ((comment: Comment) => boolean) | undefined {
    const concerns = ({ userId, orderId }: Comment) =>
      userId === concerning || orders.get(orderId)?.userId === concerning;
    return tables.testOf('Comment', stored, concerning === undefined ? undefined : concerns);
  }

  return {
    create({ orderId, userId, text, stored }, now) {
      if (orders.get(orderId) === undefined) return 'order-not-found';
      if (users.get(userId) === undefined) return 'user-not-found';
      const made: Comment = { id: comments.nextId(), orderId, userId, text, createdAt: now };
      const comment = Object.freeze(withStored(made, stored));
      comments.add(comment);
      return comment;
    },

    find: (id) => comments.get(id),
    list: (filter, slice) => rowsOf(filter)?.slice(slice, testOf(filter)) ?? [],
    count: (filter) => rowsOf(filter)?.count(testOf(filter)) ?? 0,
  };
}
