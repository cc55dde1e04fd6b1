/** The orders of the memory storage, and the comments on them. */
import type { Order, OrderItem, Comment } from '../../model/order.js';
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
      const stored = Object.freeze<Order>({
        id: orders.nextId(),
        userId,
        status: 'pending',
        items: newItems(tables, items),
        totalCents,
        createdAt: now,
        updatedAt: now,
        version: 1,
      });
      orders.add(stored);
      return stored;
    },

    find: (id) => orders.get(id),
    list: (filter, slice) => rowsOf(filter)?.slice(slice) ?? [],
    count: (filter) => rowsOf(filter)?.count() ?? 0,

    summarize(userIds, limit) {
      const first = { after: undefined, limit };
      return userIds.map((userId) => {
        const found = ordersByUser.get(userId)?.slice(first) ?? [];
        return found.map(({ id, totalCents }) => ({ id, totalCents }));
      });
    },

    update(id, change, condition, now) {
      const order = orders.get(id);
      if (order === undefined) return 'not-found';
      if (!meets(order, condition)) return 'changed';
      const written = 'status' in change ? change : { ...change, items: newItems(tables, change.items) };
      const changed = Object.freeze<Order>({
        ...order,
        ...written,
        updatedAt: latestOf(now, order.updatedAt),
        version: order.version + 1,
      });
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
  const stored = items.map(({ productId, name, quantity, unitPriceCents }) => {
    const id = String(++tables.lastItemId);
    return Object.freeze<OrderItem>({ id, productId, name, quantity, unitPriceCents });
  });
  return Object.freeze(stored);
}

function meets(order: Order, { status, version }: OrderCondition): boolean {
  return order.status === status && (version === undefined || order.version === version);
}

export function memoryComments({
  comments,
  commentsByOrder,
  orders,
  users,
}: MemoryTables): AtOnce<CommentStore> {
  const rowsOf = ({ orderId }: CommentFilter) =>
    orderId === undefined ? comments : commentsByOrder.get(orderId);

  function testOf({ concerning }: CommentFilter): ((comment: Comment) => boolean) | undefined {
    if (concerning === undefined) return undefined;
    return ({ userId, orderId }) => userId === concerning || orders.get(orderId)?.userId === concerning;
  }

  return {
    create({ orderId, userId, text }, now) {
      if (orders.get(orderId) === undefined) return 'order-not-found';
      if (users.get(userId) === undefined) return 'user-not-found';
      const comment = Object.freeze<Comment>({
        id: comments.nextId(),
        orderId,
        userId,
        text,
        createdAt: now,
      });
      comments.add(comment);
      return comment;
    },

    find: (id) => comments.get(id),
    list: (filter, slice) => rowsOf(filter)?.slice(slice, testOf(filter)) ?? [],
    count: (filter) => rowsOf(filter)?.count(testOf(filter)) ?? 0,
  };
}
