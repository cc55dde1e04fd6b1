/** Orders with their items. */

import { isDeepStrictEqual } from 'node:util';
import { type Action, type Answer, type Call, Refusals, newId, same, sameParts } from '../calls.js';
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
import { changed, condition, isStale, judgeRead, unlessKnown } from '../records.js';
import { drawId, drawOrderId, drawSender, drawUserId } from './senders.js';

export interface GivenItem {
  readonly id?: string | undefined;
  readonly productId?: string | undefined;
  readonly name?: string | undefined;
  readonly unitPrice?: number | undefined;
  readonly quantity: number;
}

interface Given {
  readonly userId?: string;
  readonly items: readonly GivenItem[];
}

export const prices = [0, 0.01, 0.1, 0.29, 1.1, 19.99, 4.35, 1_000_000, 999_999.99] as const;

function drawItems(random: Random, model: Model): readonly GivenItem[] {
  const length = random.chance(0.03) ? 100 : random.size(100);
  return Array.from({ length }, () => {
    const quantity = random.chance(0.1) ? 10_000 : random.whole(1, 9);
    // Of many items, one of a product that is not there is too likely.
    if (length < 20 && random.chance(0.4))
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

export const ownerOf = ({ orders }: Model, id: string): string | undefined => orders.get(id)?.userId;

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
export function refusalsOf(model: Model, caller: Caller, order: Order | undefined): Refusals {
  return new Refusals()
    .when(isRefused(model, caller), 401)
    .when(order === undefined, 404)
    .when(order !== undefined && caller.kind === 'user' && !mayTouch(model, caller, order.userId), 404);
}

export function orderOf(model: Model, call: Call): Order | undefined {
  return model.orders.get(call.path.split('/')[3] ?? '');
}

export function updated(model: Model, order: Order, answer: Answer): void {
  wrote(model, 'order.updated', `order:${order.id}`);
  changed(model, orderPath(order.id), answer);
  expectOrder('body', answer.body, order);
}

const createOrder: Action = {
  name: 'createOrder',
  weight: 6,
  draw(random, model) {
    const userId = random.chance(0.8) ? { userId: drawUserId(random, model) } : {};
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
    changed(model, orderPath(id), answer);
  },
};

const getOrder: Action = {
  name: 'getOrder',
  weight: 4,
  draw(random, model) {
    const id = drawOrderId(random, model);
    const path = orderPath(id);
    const headers = unlessKnown(random, model, path);
    return { method: 'GET', path, sender: drawSender(random, model, ownerOf(model, id)), headers };
  },
  judge(model, call, answer) {
    const order = orderOf(model, call);
    const caller = callerOf(model, call.sender, true);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(order === undefined || !maySee(model, caller, order.userId), 404);
    const isRead = judgeRead(model, call.path, call, answer, refusals);
    if (isRead && order !== undefined) expectOrder('body', answer.body, order);
  },
};

/** The items of an order as they were answered last. */
function seenItems(model: Model, id: string): readonly GivenItem[] {
  const { body } = model.seen.get(orderPath(id)) ?? {};
  return (body as { readonly items: readonly GivenItem[] } | undefined)?.items ?? [];
}

/** Draws the items that replace those of an order: others, or those that it has, some of them changed or without what can be left out. */
export function drawReplacement(random: Random, model: Model, id: string): readonly GivenItem[] {
  const seen = seenItems(model, id);
  if (seen.length === 0 || random.chance(0.4)) return drawItems(random, model);
  const changes = random.pick<(item: GivenItem) => GivenItem>([
    (item) => item,
    (item) => item,
    (item) => ({ ...item, id: undefined }),
    (item) => ({ ...item, quantity: random.whole(1, 3) }),
    ({ productId, quantity, ...item }) =>
      productId === undefined ? { ...item, quantity } : { productId, quantity },
    (item) => (item.productId === undefined ? item : { ...item, name: 'another' }),
    (item) => (item.productId === undefined ? item : { ...item, unitPrice: 0.07 }),
  ]);
  const items = seen.map((item) => (random.chance(0.7) ? changes(item) : item));
  return random.chance(0.2) && items.length < 100
    ? [...items, ...drawItems(random, model).slice(0, 1)]
    : items;
}

/** @returns the items of an order that gets some in their place; undefined if one is of no product */
export function replacedItems(
  model: Model,
  order: Order,
  given: readonly GivenItem[],
): readonly Item[] | undefined {
  const items = given.map(({ productId, quantity, name, unitPrice }) => {
    if (productId === undefined) return itemsOf(model, [{ quantity, name, unitPrice }])?.[0];
    // One that comes back as it was read stays; without its name and price it does if its product is gone.
    const kept = order.items.find(
      (each) =>
        each.productId === productId &&
        each.quantity === quantity &&
        (name ?? each.name) === each.name &&
        (unitPrice ?? each.unitPrice) === each.unitPrice,
    );
    const isWhole = name !== undefined && unitPrice !== undefined;
    if (kept !== undefined && (isWhole || !model.products.has(productId))) return kept;
    return itemsOf(model, [{ productId, quantity }])?.[0];
  });
  return items.some((item) => item === undefined) ? undefined : (items as readonly Item[]);
}

/** Replaces the items of an order. All of them keep their ids if none differs. */
export function replace(model: Model, order: Order, items: readonly Item[], answer: Answer): void {
  const seen = model.seen.get(orderPath(order.id));
  const isSame = isDeepStrictEqual(items, order.items);
  order.items = items;
  updated(model, order, answer);
  if (isSame && model.isAlone && seen?.isCurrent === true)
    same('the items', (answer.body as { items: unknown }).items, (seen.body as { items: unknown }).items);
}

const replaceOrder: Action = {
  name: 'replaceOrder',
  weight: 5,
  draw(random, model) {
    const id = drawOrderId(random, model);
    const path = orderPath(id);
    const owner = random.chance(0.8) ? ownerOf(model, id) : drawUserId(random, model);
    const body = {
      ...(random.chance(0.4) && owner !== undefined && { userId: owner }),
      items: drawReplacement(random, model, id),
    };
    const headers = condition(random, model, path);
    return { method: 'PUT', path, sender: drawSender(random, model, ownerOf(model, id)), headers, body };
  },
  judge(model, call, answer) {
    const order = orderOf(model, call);
    const { userId, items: given } = call.body as Given;
    const items = order && replacedItems(model, order, given);
    const refusals = refusalsOf(model, callerOf(model, call.sender, false), order)
      .when(isStale(model, call.path, call), 412)
      .when(order !== undefined && order.status !== 'pending', 409)
      .when(order !== undefined && userId !== undefined && userId !== order.userId, 400)
      .when(order !== undefined && items === undefined, 400);
    if (refusals.judge(answer, 200) && order !== undefined && items !== undefined)
      replace(model, order, items, answer);
  },
};

const deleteOrder: Action = {
  name: 'deleteOrder',
  weight: 1,
  draw(random, model) {
    const id = drawOrderId(random, model);
    const path = orderPath(id);
    return {
      method: 'DELETE',
      path,
      sender: drawSender(random, model, ownerOf(model, id)),
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
    changed(model, call.path);
    wrote(model, 'order.deleted', `order:${order.id}`);
  },
};

export const orderActions: readonly Action[] = [createOrder, getOrder, replaceOrder, deleteOrder];
