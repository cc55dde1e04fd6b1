/** Orders with their states, and comments on them. */

import {
  type Action,
  type Answer,
  type Call,
  Refusals,
  changed,
  condition,
  isStale,
  newId,
  same,
  sameParts,
} from '../calls.js';
import {
  type Caller,
  type Item,
  type Model,
  type Order,
  callerOf,
  isAdmin,
  totalOf,
  wrote,
  isRefused,
  maySee,
  mayTouch,
} from '../model.js';
import type { Random } from '../random.js';
import { drawId, drawSender } from './senders.js';
import { changedTag } from './users.js';

interface GivenItem {
  readonly productId?: string;
  readonly name?: string;
  readonly unitPrice?: number;
  readonly quantity: number;
}

interface Given {
  readonly userId?: string;
  readonly items: readonly GivenItem[];
}

export const prices = [0, 0.01, 0.1, 0.29, 1.1, 19.99, 4.35, 1_000_000, 999_999.99] as const;

function drawItems(random: Random, model: Model): readonly GivenItem[] {
  return Array.from({ length: random.size(100) }, () => {
    const quantity = random.chance(0.1) ? 10_000 : random.whole(1, 9);
    if (random.chance(0.4))
      return { productId: drawId(random, model.products, model.last['product']), quantity };
    return { name: random.text(200), unitPrice: random.pick(prices), quantity };
  });
}

/** @returns undefined if a product does not exist */
function itemsOf(model: Model, given: readonly GivenItem[]): readonly Item[] | undefined {
  const items: Item[] = [];
  for (const { productId, name = '', unitPrice = 0, quantity } of given) {
    if (productId === undefined) items.push({ productId, name, unitPrice, quantity });
    else {
      const product = model.products.get(productId);
      if (product === undefined) return undefined;
      items.push({ productId, name: product.name, unitPrice: product.price, quantity });
    }
  }
  return items;
}

export const orderPath = (id: string): string => `/api/orders/${id}`;

export function expectOrder(what: string, actual: unknown, order: Order): void {
  const { id, userId, status, items } = order;
  sameParts(what, actual, { id, userId, status, total: totalOf(items) });
  const { items: actualItems } = actual as { readonly items: readonly object[] };
  same(`${what}/items`, actualItems.length, items.length);
  items.forEach((item, index) => {
    sameParts(`${what}/items/${String(index)}`, actualItems[index], { ...item });
  });
}

/** The refusals of a write to an order: another's order is not found. */
function refusalsOf(model: Model, caller: Caller, order: Order | undefined): Refusals {
  return new Refusals()
    .when(isRefused(model, caller), 401)
    .when(order === undefined, 404)
    .when(order !== undefined && caller.kind === 'user' && !mayTouch(model, caller, order.userId), 404);
}

function orderOf(model: Model, call: Call): Order | undefined {
  return model.orders.get(call.path.split('/')[3] ?? '');
}

function updated(model: Model, order: Order, answer: Answer): void {
  wrote(model, 'order.updated', `order:${order.id}`);
  changed(model, orderPath(order.id), answer.headers.get('etag'));
  expectOrder('body', answer.body, order);
}

const createOrder: Action = {
  name: 'createOrder',
  weight: 6,
  draw(random, model) {
    const userId = random.chance(0.8) ? { userId: drawId(random, model.users, model.last['user']) } : {};
    const body: Given = { ...userId, items: drawItems(random, model) };
    return { method: 'POST', path: '/api/orders', sender: drawSender(random, model), body };
  },
  judge(model, call, answer) {
    const given = call.body as Given;
    const caller = callerOf(model, call.sender, false);
    const userId = given.userId ?? (caller.kind === 'user' ? caller.user.id : undefined);
    const items = itemsOf(model, given.items);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(userId === undefined || !model.users.has(userId) || items === undefined, 400)
      .when(caller.kind === 'user' && userId !== undefined && !mayTouch(model, caller, userId), 403);
    if (!refusals.judge(answer, 201) || userId === undefined || items === undefined) return;
    const id = newId(model, 'order', answer.body);
    const order = { id, userId, status: 'pending', items };
    model.orders.set(id, order);
    wrote(model, 'order.created', `order:${id}`);
    same('location', answer.headers.get('location'), orderPath(id));
    expectOrder('body', answer.body, order);
    changed(model, orderPath(id), answer.headers.get('etag'));
  },
};

const getOrder: Action = {
  name: 'getOrder',
  weight: 4,
  draw(random, model) {
    return {
      method: 'GET',
      path: orderPath(drawId(random, model.orders, model.last['order'])),
      sender: drawSender(random, model),
    };
  },
  judge(model, call, answer) {
    const order = orderOf(model, call);
    const caller = callerOf(model, call.sender, true);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(order === undefined || !maySee(model, caller, order.userId), 404);
    if (!refusals.judge(answer, 200) || order === undefined) return;
    expectOrder('body', answer.body, order);
    changedTag(model, call.path, answer);
  },
};

const replaceOrder: Action = {
  name: 'replaceOrder',
  weight: 3,
  draw(random, model) {
    const path = orderPath(drawId(random, model.orders, model.last['order']));
    const body: Given = { items: drawItems(random, model) };
    return {
      method: 'PUT',
      path,
      sender: drawSender(random, model),
      headers: condition(random, model, path),
      body,
    };
  },
  judge(model, call, answer) {
    const order = orderOf(model, call);
    const given = (call.body as Given).items;
    // An item of a product that is gone stays if the order has it.
    const items = given.map((item) => {
      const isKept = item.productId !== undefined && !model.products.has(item.productId);
      const kept = order?.items.find(
        ({ productId, quantity }) => productId === item.productId && quantity === item.quantity,
      );
      return isKept ? kept : itemsOf(model, [item])?.[0];
    });
    const refusals = refusalsOf(model, callerOf(model, call.sender, false), order)
      .when(isStale(model, call.path, call), 412)
      .when(order !== undefined && order.status !== 'pending', 409)
      .when(items.includes(undefined), 400);
    if (!refusals.judge(answer, 200) || order === undefined) return;
    order.items = items as readonly Item[];
    updated(model, order, answer);
  },
};

const deleteOrder: Action = {
  name: 'deleteOrder',
  weight: 1,
  draw(random, model) {
    const path = orderPath(drawId(random, model.orders, model.last['order']));
    return {
      method: 'DELETE',
      path,
      sender: drawSender(random, model),
      headers: condition(random, model, path),
    };
  },
  judge(model, call, answer) {
    const order = orderOf(model, call);
    const caller = callerOf(model, call.sender, false);
    const isLate = order !== undefined && order.status !== 'pending';
    const refusals = refusalsOf(model, caller, order)
      .when(isStale(model, call.path, call), 412)
      .when(isLate && model.policy === 'protected' && caller.kind === 'user' && !isAdmin(caller), 403);
    if (!refusals.judge(answer, 204) || order === undefined) return;
    model.orders.delete(order.id);
    for (const [id, { orderId }] of model.comments) if (orderId === order.id) model.comments.delete(id);
    changed(model, call.path, undefined);
    wrote(model, 'order.deleted', `order:${order.id}`);
  },
};

const updateOrder: Action = {
  name: 'updateOrder',
  weight: 4,
  draw(random, model) {
    const path = orderPath(drawId(random, model.orders, model.last['order']));
    const status = random.pick(['processing', 'processing', 'completed', 'pending', 'cancelled', 'refunded']);
    return {
      method: 'PATCH',
      path,
      sender: drawSender(random, model),
      headers: condition(random, model, path),
      body: { status },
    };
  },
  judge(model, call, answer) {
    const order = orderOf(model, call);
    const { status } = call.body as { readonly status: string };
    const caller = callerOf(model, call.sender, false);
    const allowed = { pending: 'processing', processing: 'completed' }[order?.status ?? ''];
    const refusals = refusalsOf(model, caller, order)
      .when(isStale(model, call.path, call), 412)
      .when(model.policy === 'protected' && caller.kind === 'user' && !isAdmin(caller), 403)
      .when(order !== undefined && allowed !== status, 409);
    if (!refusals.judge(answer, 200) || order === undefined) return;
    order.status = status;
    updated(model, order, answer);
  },
};

/** Cancels or refunds. */
function ending(name: string, result: string, from: readonly string[], isForAdmins: boolean): Action {
  return {
    name: `${name}Order`,
    weight: 2,
    draw(random, model) {
      const id = drawId(random, model.orders, model.last['order']);
      return { method: 'POST', path: `${orderPath(id)}/${name}`, sender: drawSender(random, model) };
    },
    judge(model, call, answer) {
      const order = orderOf(model, call);
      const caller = callerOf(model, call.sender, false);
      const isSecond = order?.status === result;
      const refusals = refusalsOf(model, caller, order)
        .when(isForAdmins && model.policy === 'protected' && caller.kind === 'user' && !isAdmin(caller), 403)
        .when(order !== undefined && !isSecond && !from.includes(order.status), 409);
      if (!refusals.judge(answer, 200) || order === undefined) return;
      if (isSecond) expectOrder('body', answer.body, order);
      else {
        order.status = result;
        updated(model, order, answer);
      }
    },
  };
}

export const orderActions: readonly Action[] = [
  createOrder,
  getOrder,
  replaceOrder,
  deleteOrder,
  updateOrder,
  ending('cancel', 'cancelled', ['pending', 'processing'], false),
  ending('refund', 'refunded', ['completed'], true),
];
