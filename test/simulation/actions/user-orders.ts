/** Reads an order, and one of its items, by the path of its user. */

import { type Action, Refusals, same, sameParts } from '../calls.js';
import { type Model, callerOf, isRefused, maySee } from '../model.js';
import type { Random } from '../random.js';
import { expectOrder } from './orders.js';
import { drawId, drawSender } from './senders.js';

function drawPath(random: Random, model: Model): string {
  const orderId = drawId(random, model.orders, model.last['order']);
  const owner = random.chance(0.8) ? model.orders.get(orderId)?.userId : undefined;
  return `/api/users/${owner ?? drawId(random, model.users, model.last['user'])}/orders/${orderId}`;
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
  draw: (random, model) => ({
    method: 'GET',
    path: drawPath(random, model),
    sender: drawSender(random, model),
  }),
  judge(model, call, answer) {
    const caller = callerOf(model, call.sender, true);
    const order = orderOf(model, call.path);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(order === undefined || !maySee(model, caller, order.userId), 404);
    // Whether a user who is gone still has orders is not said.
    if (order !== undefined) refusals.perhaps(!model.users.has(order.userId), 404);
    if (refusals.judge(answer, 200) && order !== undefined) expectOrder('body', answer.body, order);
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
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(order === undefined || !maySee(model, caller, order.userId), 404)
      // An item that was replaced has gone with its id, which the model does not know.
      .perhaps(order !== undefined, 404);
    if (!refusals.judge(answer, 200) || order === undefined) return;
    const { id, ...item } = answer.body as { readonly id: string };
    same('the id', id, call.path.split('/')[7]);
    const known = order.items.find((each) => JSON.stringify(each) === JSON.stringify({ ...each, ...item }));
    sameParts('item', item, { ...(known ?? { name: 'one of the order' }) });
  },
};

export const userOrderActions: readonly Action[] = [getUserOrder, getUserOrderItem];
