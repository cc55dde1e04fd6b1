/** The part of the storage port that keeps orders with their items and comments. */
import type { OrderStatus, Order, OrderItem, OrderSummary, Comment } from '../model/order.js';
import type { Slice } from '../model/page.js';
import type { StoredChange, StoredValues } from '../model/stored.js';
import type { Timestamp } from '../model/timestamp.js';

/** An item to write; the store adds the id. */
export type NewOrderItem = Omit<OrderItem, 'id'>;

export interface NewOrder extends Pick<Order, 'userId' | 'totalCents' | 'stored'> {
  readonly items: readonly NewOrderItem[];
}

/** Either another status, or other items with their total. */
export type OrderChange = (
  Pick<Order, 'status'> | { readonly items: readonly NewOrderItem[]; readonly totalCents: number }
) & { readonly stored?: StoredChange<'Order'> };

export interface OrderFilter {
  /** Exact match; undefined matches every order, and an unknown id none. */
  readonly userId: string | undefined;
  readonly stored?: StoredValues | undefined;
}

/** Matches every order. */
export const everyOrder: OrderFilter = { userId: undefined };

/** The condition on the stored order for a write. */
export interface OrderCondition {
  readonly status: OrderStatus;
  /** Any version when undefined. */
  readonly version: number | undefined;
}

/**
 * Cascades: an order is deleted only by `delete`, with its items and its comments. It stays when its user or the product of an item is
 * deleted, and keeps their ids.
 */
export interface OrderStore {
  /** Stores a pending order with its items in one step, for a user who exists at that moment. */
  create(order: NewOrder, now: Timestamp): Promise<Order | 'user-not-found'>;

  find(id: string): Promise<Order | undefined>;

  /** Ascending by id. */
  list(filter: OrderFilter, slice: Slice): Promise<readonly Order[]>;

  /** With no filter the cost must not grow with the number of orders. */
  count(filter: OrderFilter): Promise<number>;

  /**
   * Summaries of the orders of several users, in one read.
   *
   * @param limit the maximum number of orders per user
   * @returns one list per user, in the order of `userIds`, ascending by id; ids may repeat
   */
  summarize(userIds: readonly string[], limit: number): Promise<readonly (readonly OrderSummary[])[]>;

  /**
   * Compares and writes in one step: of several writers who read the same status, one succeeds. Adds one to the version;
   * `updatedAt` becomes `now`, unless the stored time is later. New items get new ids.
   *
   * @returns the order as stored; `changed` when the condition does not hold
   */
  update(
    id: string,
    change: OrderChange,
    condition: OrderCondition,
    now: Timestamp,
  ): Promise<Order | 'not-found' | 'changed' | 'invalid'>;

  /** Compares and deletes the order with its items and comments in one step. */
  delete(id: string, condition: OrderCondition): Promise<'deleted' | 'not-found' | 'changed'>;
}

/** The fields of a new comment; the store adds the id and the time. */
export type NewComment = Omit<Comment, 'id' | 'createdAt'>;

/** All conditions must hold; an undefined one is not applied, and an unknown id matches no comment. */
export interface CommentFilter {
  readonly orderId: string | undefined;
  /** Comments by this user, and those on this user's orders. */
  readonly concerning: string | undefined;
  readonly stored?: StoredValues | undefined;
}

/** Matches every comment. */
export const everyComment: CommentFilter = { orderId: undefined, concerning: undefined };

/**
 * Cascades: a comment is deleted with its order (`OrderStore.delete`) and with the user who wrote it (`UserStore.delete`), in the same
 * step. The deletion of the user whose order it is on deletes neither the order nor the comment. Nothing else deletes a comment.
 */
export interface CommentStore {
  /** Stores a comment in one step, for an order and a user that exist at that moment. */
  create(comment: NewComment, now: Timestamp): Promise<Comment | 'order-not-found' | 'user-not-found'>;

  find(id: string): Promise<Comment | undefined>;

  /** Ascending by id. */
  list(filter: CommentFilter, slice: Slice): Promise<readonly Comment[]>;

  /** With no filter the cost must not grow with the number of comments. */
  count(filter: CommentFilter): Promise<number>;
}
