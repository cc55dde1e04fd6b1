/** Reads an order, and one of its items, by the path of its user. */

import { type Action, Refusals, same } from '../calls.js';
import { type Model, callerOf, isRefused, maySee } from '../model.js';
import type { Random } from '../random.js';
import { expectOrder, orderPath } from './orders.js';
import { judgeRead, unlessKnown } from '../records.js';
import { drawOrderId, drawSender, drawUserId } from './senders.js';

function drawPath(random: Random, model: Model): string {
  const orderId = drawOrderId(random, model);
  const owner = random.chance(0.8) ? model.orders.get(orderId)?.userId : undefined;
  return `/api/users/${owner ?? drawUserId(random, model)}/orders/${orderId}`;
}

/** The order of a path, if the user has it. An order stays when its user is deleted. */
function orderOf(model: Model, path: string) {
  const [, , , userId = '', , orderId = ''] = path.split('/');
  const order = model.orders.get(orderId);
  return order?.userId === userId ? order : undefined;
}

const getUserOrder: Action = {
  name: 'getUserOrder',
  weight: 2,
  draw(random, model) {
    const path = drawPath(random, model);
    const headers = unlessKnown(random, model, orderPath(path.split('/')[5] ?? ''));
    return { method: 'GET', path, sender: drawSender(random, model), headers };
  },
  judge(model, call, answer) {
    const caller = callerOf(model, call.sender, true);
    const order = orderOf(model, call.path);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(order === undefined || !maySee(model, caller, order.userId), 404);
    // Whether a user who is gone still has orders is not said.
    if (order !== undefined) refusals.perhaps(!model.users.has(order.userId), 404);
    const isRead = judgeRead(model, orderPath(order?.id ?? ''), call, answer, refusals);
    if (isRead && order !== undefined) expectOrder('body', answer.body, order);
  },
};

const getUserOrderItem: Action = {
  name: 'getUserOrderItem',
  weight: 2,
  draw(random, model) {
    const path = `${drawPath(random, model)}/items/${String(random.whole(1, 3))}`;
    return { method: 'GET', path, sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const caller = callerOf(model, call.sender, true);
    const order = orderOf(model, call.path);
    // Their ids are known from the order as it was answered.
    const seen = model.seen.get(orderPath(order?.id ?? ''));
    const isKnown = seen?.isCurrent === true;
    const { items = [] } = Object(seen?.body) as { readonly items?: readonly { readonly id: string }[] };
    const item = items.find(({ id }) => id === call.path.split('/')[7]);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(order === undefined || !maySee(model, caller, order.userId), 404)
      .when(isKnown && item === undefined, 404);
    if (order !== undefined) refusals.perhaps(!isKnown || !model.users.has(order.userId), 404);
    if (!refusals.judge(answer, 200)) return;
    if (isKnown) same('the item', answer.body, item);
  },
};

export const userOrderActions: readonly Action[] = [getUserOrder, getUserOrderItem];
