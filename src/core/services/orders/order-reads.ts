/** The use cases that read orders. */
import { notFound } from '../../model/error.js';
import type { Order, OrderItem, OrderSummary } from '../../model/order.js';
import {
  anyPage,
  maxLimit,
  offsetPage,
  offsetWindow,
  type OffsetArguments,
  type OffsetPage,
} from '../../model/page.js';
import type { OrderFilter } from '../../ports/order-store.js';
import type { ServiceContext } from '../context/service-context.js';
import { readPage, visibleById } from '../reads/lists.js';
import type { Caller } from '../rights/caller.js';
import type { Scope } from '../rights/rights.js';

/**
 * Every method throws `unauthenticated` or `forbidden` if the policy refuses. An order that the caller may not read is treated as
 * one that does not exist: it is `not-found`, and lists leave it out.
 */
export class OrderReads {
  constructor(protected readonly context: ServiceContext<'orders' | 'users'>) {}

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<Order> {
    this.context.rights.requireSome(caller, 'orders.read');
    return await this.visible(caller, id);
  }

  /** @throws ServiceError `not-found` also for an order that the caller may not read */
  protected async visible(caller: Caller, id: string): Promise<Order> {
    const order = await this.context.storage.orders.find(id);
    if (order === undefined || !this.context.rights.allows(caller, 'orders.read', order.userId, order)) {
      throw notFound('Order');
    }
    return order;
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(
    caller: Caller,
    filter: OrderFilter,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<Order>> {
    return await this.#page(this.context.rights.scope(caller, 'orders.read'), filter, asked);
  }

  async #page(
    { owner, ...visible }: Scope<'orders.read'>,
    { stored, ...filter }: OrderFilter,
    asked: OffsetArguments,
  ): Promise<OffsetPage<Order>> {
    const userId = filter.userId ?? owner;
    if (owner !== undefined && userId !== owner) return offsetPage([], 0, offsetWindow(asked));
    return await readPage(
      asked,
      visible,
      stored,
      (slice, values) => this.context.storage.orders.list({ userId, stored: values }, slice),
      (values) => this.context.storage.orders.count({ userId, stored: values }),
    );
  }

  /** {@link list} for a user who must exist. @throws ServiceError `not-found` */
  async listOfUser(
    caller: Caller,
    userId: string,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<Order>> {
    const scope = this.context.rights.scope(caller, 'orders.read');
    await this.#requireUser(caller, userId);
    return await this.#page(scope, { userId }, asked);
  }

  /** An order of this user. @throws ServiceError `not-found` */
  async getOfUser(caller: Caller, userId: string, orderId: string): Promise<Order> {
    this.context.rights.requireSome(caller, 'orders.read');
    await this.#requireUser(caller, userId);
    const order = await this.visible(caller, orderId);
    if (order.userId !== userId) throw notFound('Order');
    return order;
  }

  /** One item of an order of this user. @throws ServiceError `not-found` */
  async getItemOfUser(
    caller: Caller,
    userId: string,
    orderId: string,
    itemId: string,
  ): Promise<{ readonly item: OrderItem; readonly order: Order }> {
    const order = await this.getOfUser(caller, userId, orderId);
    const item = order.items.find(({ id }) => id === itemId);
    if (item === undefined) throw notFound('Item');
    return { item, order };
  }

  /**
   * Summaries of the orders of several users, at most the first 100 of each.
   *
   * @returns one list per user, in the order of the ids; empty if the caller may not see the orders
   */
  async summarize(caller: Caller, userIds: readonly string[]): Promise<readonly (readonly OrderSummary[])[]> {
    if (this.context.rights.needsRecord('orders.read')) {
      const { owner, ...visible } = this.context.rights.scope(caller, 'orders.read');
      const read = async (userId: string) => {
        const list = visibleById(visible, undefined, (slice, stored) =>
          this.context.storage.orders.list({ userId, stored }, slice),
        );
        return owner === undefined || owner === userId
          ? await list({ after: undefined, limit: maxLimit })
          : [];
      };
      return await Promise.all(userIds.map(read));
    }
    const visible = userIds.filter((userId) => this.context.rights.allows(caller, 'orders.read', userId));
    const lists = visible.length > 0 ? await this.context.storage.orders.summarize(visible, maxLimit) : [];
    const byUser = new Map(visible.map((userId, index) => [userId, lists[index] ?? []]));
    return userIds.map((userId) => byUser.get(userId) ?? []);
  }

  async #requireUser(caller: Caller, id: string): Promise<void> {
    const user = await this.context.storage.users.find(id);
    if (user === undefined || this.context.rights.hides(caller, 'users.read', user)) throw notFound('User');
  }
}
