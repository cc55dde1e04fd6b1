/** The path of the writes of an order: it is read, the right and the change are decided on it, and it is written unless it has changed. */
import type { Order } from '../../model/order.js';
import type { OrderChange, OrderCondition } from '../../ports/order-store.js';
import type { ServiceContext } from '../context/service-context.js';
import type { Caller } from '../rights/caller.js';
import type { WriteAction } from '../rights/policy.js';
import { unlessInvalid } from '../writes/stored-changes.js';
import { unconditional, type WriteCondition, writeWhile } from '../writes/write-condition.js';

type OrderAction = WriteAction & `orders.${string}`;

interface Attempt {
  readonly caller: Caller;
  readonly id: string;
  readonly condition: WriteCondition;
  /** The action whose right the write of an order takes. */
  readonly rightOf: (order: Order) => OrderAction;
  /** The action whose hooks are called, unless it is that of the right. */
  readonly action?: OrderAction;
}

interface OrderWrite<Input> extends Omit<Attempt, 'rightOf' | 'action'> {
  readonly action: OrderAction;
  /** Unless given, the action. */
  readonly rightOf?: Attempt['rightOf'];
  /** Unless given, the action. */
  readonly operation?: string;
  readonly input: Input;
}

export class OrderWrites {
  /** @param read - throws `not-found` also for an order that the caller may not read */
  constructor(
    private readonly context: ServiceContext<'orders'>,
    private readonly read: (caller: Caller, id: string) => Promise<Order>,
  ) {}

  /** @param decide - returns the change to write, or undefined when the order needs none */
  async write<Input>(
    { input, operation, ...attempt }: OrderWrite<Input>,
    decide: (order: Order, input: Input) => OrderChange | undefined | Promise<OrderChange>,
  ): Promise<Order> {
    const { clock, writes } = this.context;
    const { caller, action, rightOf = () => action } = attempt;
    const write = {
      caller,
      operation: operation ?? action,
      actions: [action],
      event: 'order.updated',
    } as const;
    return await this.attempt({ ...attempt, rightOf }, async (order, unchanged) => {
      const wanted = await decide(order, input);
      if (wanted === undefined) return order;
      const given = await writes.before(write, order, input);
      const change = given === input ? wanted : ((await decide(order, given)) ?? wanted);
      // Unchanged items were compared with those of this version.
      const { items } = Object(given) as { readonly items?: unknown };
      const version = items !== undefined && 'status' in change ? order.version : unchanged.version;
      const outcome = await writes.store(write, order, ({ orders }) =>
        orders.update(order.id, change, { ...unchanged, version }, clock.now()),
      );
      return unlessInvalid(outcome, change);
    });
  }

  /**
   * Reads an order, decides on it, and writes only if the fields that decided have not changed; otherwise starts again. No order
   * returns to an earlier status, so a writer loses only a few times, unless a rule function decides.
   */
  async attempt<T>(
    { caller, id, condition, rightOf, action }: Attempt,
    write: (order: Order, unchanged: OrderCondition) => Promise<T | 'not-found' | 'changed'>,
  ): Promise<T> {
    const { rights, writes } = this.context;
    rights.requireSome(caller, 'orders.read');
    const read = () => this.read(caller, id);
    const decide = (order: Order) => {
      rights.require(caller, rightOf(order), order.userId, order, `order:${order.id}`);
    };
    return await writeWhile<Order, T>({ what: 'Order', condition, decide, read }, async (order) => {
      if (order === undefined) return 'not-found';
      // A rule function or a hook may depend on any field of the order; grants depend only on its user, who never changes.
      const right = rightOf(order);
      const isExact =
        condition !== unconditional ||
        rights.needsRecord(right) ||
        writes.hooked({ actions: [action ?? right] });
      const outcome = await write(order, {
        status: order.status,
        version: isExact ? order.version : undefined,
      });
      return outcome === 'changed' ? 'stale' : outcome;
    });
  }
}
