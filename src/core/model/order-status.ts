/** The states of an order and the one table of steps between them. */
import { conflict } from './error.js';

export const orderStatuses = ['pending', 'processing', 'completed', 'cancelled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The ways to move an order: a status change that names the new state, or a separate action. */
export type OrderMove = 'status change' | 'cancel' | 'refund';

/** For each target state: the kind of step that leads to it, and the states that it starts from. */
const steps: Readonly<
  Record<OrderStatus, { readonly by?: OrderMove; readonly from: readonly OrderStatus[] }>
> = {
  pending: { from: [] },
  processing: { by: 'status change', from: ['pending'] },
  completed: { by: 'status change', from: ['processing'] },
  cancelled: { by: 'cancel', from: ['pending', 'processing'] },
  refunded: { by: 'refund', from: ['completed'] },
};

/** @throws ServiceError `conflict`, saying which states allow the step, unless this one does */
export function checkStep(from: OrderStatus, to: OrderStatus, by: OrderMove): void {
  const step = steps[to];
  if (step.by === by && step.from.includes(from)) return;
  if (step.by === undefined) throw conflict(`An order is ${to} only when it is new; this one is ${from}`);
  throw conflict(
    `An order becomes ${to} only by ${step.by} from ${step.from.join(' or ')}; this one is ${from}`,
  );
}
