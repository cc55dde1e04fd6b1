/** Moves orders from one state to another, and changes some of their fields. */

import { type Action, type Answer, Fault } from '../calls.js';
import { type Model, type Order, callerOf, isAdmin } from '../model.js';
import { condition, expectSeen, isStale } from '../records.js';
import {
  type GivenItem,
  drawReplacement,
  expectOrder,
  orderOf,
  orderPath,
  ownerOf,
  refusalsOf,
  replace,
  replacedItems,
  updated,
} from './orders.js';
import { drawAdmin, drawOrderId, drawSender } from './senders.js';

/** The states that an order may have, and those from which it comes to each. */
const origins: Readonly<Record<string, readonly string[]>> = {
  pending: [],
  processing: ['pending'],
  completed: ['processing'],
  cancelled: ['pending', 'processing'],
  refunded: ['completed'],
};

/** Those to which a change of the status moves. */
const moved: readonly string[] = ['processing', 'completed'];

/** @throws {@link Fault} unless a 409 says in which state the order is, and which states allow the step */
function expectOrigins({ status, text }: Answer, { status: state }: Order, from: readonly string[]): void {
  if (status !== 409) return;
  const isSaid = text.includes(`this one is ${state}`) && text.includes(from.join(' or '));
  if (!isSaid) throw new Fault(`${text} does not say that only ${from.join(' or ')} allow the step`);
}

/** Whether only admins may do it, and the caller is another user. */
const isForbidden = (model: Model, caller: ReturnType<typeof callerOf>): boolean =>
  model.policy === 'protected' && caller.kind === 'user' && !isAdmin(caller);

interface Patch {
  readonly status?: string;
  readonly items?: readonly GivenItem[];
}

const updateOrder: Action = {
  name: 'updateOrder',
  weight: 8,
  draw(random, model) {
    const id = drawOrderId(random, model, ['pending', 'processing']);
    const path = orderPath(id);
    const next = { pending: 'processing', processing: 'completed' }[model.orders.get(id)?.status ?? ''];
    const admin = drawAdmin(random, model);
    // Few orders would come to their last states otherwise.
    if (next !== undefined && admin !== undefined && random.chance(0.4))
      return { method: 'PATCH', path, sender: admin, body: { status: next } };
    const status = random.chance(0.4) ? next : random.pick(Object.keys(origins));
    const body: Patch = {
      ...(random.chance(0.75) && { status: status ?? 'completed' }),
      ...(random.chance(0.2) && { items: drawReplacement(random, model, id) }),
    };
    const sender = drawSender(random, model, ownerOf(model, id));
    return { method: 'PATCH', path, sender, headers: condition(random, model, path), body };
  },
  judge(model, call, answer) {
    const order = orderOf(model, call);
    const { status, items: given } = call.body as Patch;
    const caller = callerOf(model, call.sender, false);
    const items = given && order && replacedItems(model, order, given);
    const from = moved.includes(status ?? '') ? (origins[status ?? ''] ?? []) : [];
    const isPending = order?.status === 'pending';
    const isOfAdmins = status !== undefined || (given === undefined && !isPending);
    const refusals = refusalsOf(model, caller, order)
      .when(isStale(model, call.path, call), 412)
      .when(isOfAdmins && isForbidden(model, caller), 403)
      .when(status !== undefined && given !== undefined, 400)
      .when(given !== undefined && order !== undefined && items === undefined, 400)
      .when(given !== undefined && order !== undefined && !isPending, 409)
      .when(status !== undefined && order !== undefined && !from.includes(order.status), 409);
    const isDone = refusals.judge(answer, 200);
    if (order === undefined) return;
    if (given === undefined && from.length > 0) expectOrigins(answer, order, from);
    if (!isDone) return;
    order.status = status ?? order.status;
    if (items === undefined) updated(model, order, answer);
    else replace(model, order, items, answer);
  },
};

/** Cancels or refunds. */
function ending(name: string, result: string, isForAdmins: boolean): Action {
  const from = origins[result] ?? [];
  return {
    name: `${name}Order`,
    weight: isForAdmins ? 4 : 2,
    draw(random, model) {
      const id = drawOrderId(random, model, from);
      const sender = drawSender(random, model, ownerOf(model, id));
      return { method: 'POST', path: `${orderPath(id)}/${name}`, sender };
    },
    judge(model, call, answer) {
      const order = orderOf(model, call);
      const caller = callerOf(model, call.sender, false);
      const isSecond = order?.status === result;
      const refusals = refusalsOf(model, caller, order)
        .when(isForAdmins && isForbidden(model, caller), 403)
        .when(order !== undefined && !isSecond && !from.includes(order.status), 409);
      const isDone = refusals.judge(answer, 200);
      if (order !== undefined) expectOrigins(answer, order, from);
      if (!isDone || order === undefined) return;
      if (isSecond) expectRepeated(model, order, answer);
      else {
        order.status = result;
        updated(model, order, answer);
      }
    },
  };
}

/** What has succeeded is answered the same again. */
function expectRepeated(model: Model, order: Order, answer: Answer): void {
  expectOrder('body', answer.body, order);
  expectSeen(model, orderPath(order.id), answer.body);
}

export const orderMoveActions: readonly Action[] = [
  updateOrder,
  ending('cancel', 'cancelled', false),
  ending('refund', 'refunded', true),
];
