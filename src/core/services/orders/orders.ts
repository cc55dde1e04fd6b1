/** The use cases around orders. */
import { invalidInput } from '../../model/error.js';
import { checkStep, type OrderStatus, type Order } from '../../model/order.js';
import { type Created, createOnce } from '../writes/idempotency.js';
import type { ServiceContext } from '../context/service-context.js';
import { type Amounts, increased } from '../writes/stored-changes.js';
import { unconditional, type WriteCondition } from '../writes/write-condition.js';
import { writeBy } from '../writes/writes.js';
import { type Caller, ownerOf } from '../rights/caller.js';
import type { StoredChange } from '../../model/stored.js';
import {
  created,
  pricedOrder,
  productsFor,
  replacedItems,
  type OrderInput,
  type OrderItemsPatch,
  type OrderPatch,
  type OrderReplacement,
} from './order-items.js';
import { OrderReads } from './order-reads.js';
import { OrderWrites } from './order-writes.js';

/**
 * Every method throws `unauthenticated` or `forbidden` if the policy refuses. An order that the caller may not read is treated as
 * one that does not exist: it is `not-found`, and lists leave it out.
 */
export class OrdersService extends OrderReads {
  readonly #writes: OrderWrites;

  constructor(protected override readonly context: ServiceContext<'orders' | 'products' | 'users'>) {
    super(context);
    this.#writes = new OrderWrites(context, (caller, id) => this.visible(caller, id));
  }

  /** Creates a pending order. @throws ServiceError `invalid-input`, also for a user or product that does not exist */
  async create(caller: Caller, input: OrderInput): Promise<Order> {
    return (await this.createOnce(caller, input, undefined)).record;
  }

  /** Like {@link create}, at most once per idempotency key. @throws ServiceError also as `Idempotency.run` */
  async createOnce(caller: Caller, input: OrderInput, key: string | undefined): Promise<Created<Order>> {
    this.context.rights.requireSome(caller, 'orders.create');
    const userId = ownerOf(caller, 'userId', input.userId);
    this.context.rights.require(caller, 'orders.create', userId, { userId });
    const draft = { userId, items: input.items, stored: input.stored };
    const make = (given: OrderInput) =>
      pricedOrder(userId, given, productsFor(caller, this.context.rights, this.context.storage.products));
    const { writes, clock } = this.context;
    const write = { ...writeBy(caller, 'orders.create'), event: 'order.created' } as const;
    const find = (id: string) => this.context.storage.orders.find(id);
    return await createOnce(this.context, write, { key, input }, find, async (keyed) => {
      if (writes.hooked(write)) await make(draft); // what it refuses calls no hook
      const order = await make(await writes.before(write, undefined, draft));
      return created(await writes.create(write, keyed, ({ orders }) => orders.create(order, clock.now())));
    });
  }

  /**
   * Replaces the items of a pending order. If all items come back unchanged, they stay with their ids.
   *
   * @throws ServiceError `not-found`, `precondition-failed`, `invalid-input`, also for a user other than the order's,
   *   `conflict` when the order is not pending
   */
  async replace(
    caller: Caller,
    id: string,
    given: OrderReplacement,
    condition: WriteCondition = unconditional,
  ): Promise<Order> {
    const products = productsFor(caller, this.context.rights, this.context.storage.products);
    const write = { caller, id, action: 'orders.replace', condition, input: given } as const;
    return await this.#writes.write(write, (order, input) => replacedItems(order, input, products));
  }

  /**
   * Changes some fields of an order: its status, as {@link changeStatus}, or its items, as {@link replace}, and the values of stored
   * fields. The values alone take the right `orders.replace` while the order is pending, and `orders.changeStatus` later.
   *
   * @throws ServiceError as both
   */
  async update(
    caller: Caller,
    id: string,
    { status, ...input }: OrderPatch,
    condition: WriteCondition = unconditional,
  ): Promise<Order> {
    if (status !== undefined) {
      if (input.items !== undefined) throw invalidInput('items', 'must not be given with a status');
      return await this.changeStatus(caller, id, status, condition, input.stored);
    }
    const products = productsFor(caller, this.context.rights, this.context.storage.products);
    const rightOf = (order: Order) =>
      input.items !== undefined || order.status === 'pending' ? 'orders.replace' : 'orders.changeStatus';
    const own = { operation: 'orders.update', action: 'orders.replace', rightOf } as const;
    return await this.#writes.write<OrderItemsPatch>(
      { caller, id, ...own, condition, input },
      (order, given) =>
        given.items === undefined
          ? { status: order.status, stored: given.stored }
          : replacedItems(order, { ...given, items: given.items }, products),
    );
  }

  /** Adds amounts to stored fields, in the step of the write. @throws ServiceError as {@link update} and `increased` */
  async increment(
    caller: Caller,
    id: string,
    amounts: Amounts<'Order'>,
    condition: WriteCondition = unconditional,
  ): Promise<Order> {
    const stored = increased(this.context.storage.ownFields, 'Order', amounts);
    return await this.update(caller, id, { stored }, condition);
  }

  /**
   * Changes the status of an order.
   *
   * @throws ServiceError `not-found`, `precondition-failed`, `conflict` when the current status does not allow the new one
   */
  async changeStatus(
    caller: Caller,
    id: string,
    status: OrderStatus,
    condition: WriteCondition = unconditional,
    stored?: StoredChange<'Order'>,
  ): Promise<Order> {
    const write = {
      caller,
      id,
      action: 'orders.changeStatus',
      condition,
      input: { status, stored },
    } as const;
    return await this.#writes.write(write, (order, input) => {
      checkStep(order.status, input.status, 'status change');
      return input;
    });
  }

  /** Cancels an order; does nothing if it is already cancelled. @throws ServiceError as {@link changeStatus} */
  async cancel(caller: Caller, id: string, condition: WriteCondition = unconditional): Promise<Order> {
    return await this.#end(caller, id, 'cancel', 'cancelled', condition);
  }

  /** Refunds an order; does nothing if it is already refunded. @throws ServiceError as {@link changeStatus} */
  async refund(caller: Caller, id: string, condition: WriteCondition = unconditional): Promise<Order> {
    return await this.#end(caller, id, 'refund', 'refunded', condition);
  }

  async #end(
    caller: Caller,
    id: string,
    move: 'cancel' | 'refund',
    status: OrderStatus,
    condition: WriteCondition,
  ): Promise<Order> {
    const write = { caller, id, action: `orders.${move}`, condition, input: undefined } as const;
    return await this.#writes.write(write, (order) => {
      if (order.status === status) return undefined;
      checkStep(order.status, status, move);
      return { status };
    });
  }

  /** Deletes an order with its items and comments. @throws ServiceError `not-found`, `precondition-failed` */
  async delete(caller: Caller, id: string, condition: WriteCondition = unconditional): Promise<void> {
    const actionOf = ({ status }: Order) => `orders.delete${status === 'pending' ? '' : 'Started'}` as const;
    const { writes } = this.context;
    await this.#writes.attempt({ caller, id, rightOf: actionOf, condition }, async (order, unchanged) => {
      const action = actionOf(order);
      const audited = [{ action, target: `order:${order.id}` }];
      const own = { operation: 'orders.delete', event: 'order.deleted', id: order.id } as const;
      const write = { caller, ...own, actions: [action], audited };
      await writes.before(write, order, undefined);
      return await writes.store(write, order, ({ orders }) => orders.delete(order.id, unchanged));
    });
  }
}
