/** Products with their categories. */

import { type Action, Refusals, newId, same, sameParts } from '../calls.js';
import { type Caller, type Model, type Product, callerOf, isAdmin, wrote, isRefused } from '../model.js';
import { changed, condition, isStale, judgeRead, unlessKnown } from '../records.js';
import type { Random } from '../random.js';
import { prices } from './orders.js';
import { drawPaging, expectPageHeaders, pagingOf, pathOf, queryOf, sliceOf } from './paging.js';
import { drawId, drawSender } from './senders.js';

type Given = Pick<Product, 'name' | 'description' | 'price'>;

const productPath = (id: string): string => `/api/products/${id}`;

const drawProduct = (random: Random): Given => ({
  name: random.text(200),
  price: random.pick(prices),
  ...(random.chance(0.5) && { description: random.text(5000) }),
});

export function expectProduct(
  what: string,
  actual: unknown,
  { id, name, description, price }: Product,
): void {
  sameParts(what, actual, {
    id,
    name,
    description,
    price,
    links: { categories: `${productPath(id)}/categories` },
  });
}

function refusalsOf(model: Model, caller: Caller): Refusals {
  const isProtected = model.policy === 'protected';
  return new Refusals()
    .when(isRefused(model, caller), 401)
    .when(isProtected && caller.kind === 'user' && !isAdmin(caller), 403);
}

const createProduct: Action = {
  name: 'createProduct',
  weight: 3,
  draw: (random, model) => ({
    method: 'POST',
    path: '/api/products',
    sender: drawSender(random, model),
    body: drawProduct(random),
  }),
  judge(model, call, answer) {
    if (!refusalsOf(model, callerOf(model, call.sender, false)).judge(answer, 201)) return;
    const id = newId(model, 'product', answer.body);
    const product: Product = { ...(call.body as Given), id, categories: [] };
    model.products.set(id, product);
    wrote(model, 'product.created', `product:${id}`);
    expectProduct('body', answer.body, product);
    changed(model, productPath(id), answer);
  },
};

const getProduct: Action = {
  name: 'getProduct',
  weight: 2,
  draw(random, model) {
    const path = productPath(drawId(random, model.products, model.last['product']));
    const headers = unlessKnown(random, model, path);
    return { method: 'GET', path, sender: drawSender(random, model), headers };
  },
  judge(model, call, answer) {
    const product = model.products.get(call.path.split('/')[3] ?? '');
    const refusals = new Refusals()
      .when(callerOf(model, call.sender, false).kind === 'refused', 401)
      .when(product === undefined, 404);
    const isRead = judgeRead(model, call.path, call, answer, refusals);
    if (isRead && product !== undefined) expectProduct('body', answer.body, product);
  },
};

const replaceProduct: Action = {
  name: 'replaceProduct',
  weight: 3,
  draw(random, model) {
    const path = productPath(drawId(random, model.products, model.last['product']));
    const headers = condition(random, model, path);
    return { method: 'PUT', path, sender: drawSender(random, model), headers, body: drawProduct(random) };
  },
  judge(model, call, answer) {
    const product = model.products.get(call.path.split('/')[3] ?? '');
    const refusals = refusalsOf(model, callerOf(model, call.sender, false))
      .when(product === undefined, 404)
      .when(isStale(model, call.path, call), 412);
    if (!refusals.judge(answer, 200) || product === undefined) return;
    const { name, description, price } = call.body as Given;
    Object.assign(product, { name, description, price });
    wrote(model, 'product.updated', `product:${product.id}`);
    expectProduct('body', answer.body, product);
    changed(model, call.path, answer);
  },
};

const deleteProduct: Action = {
  name: 'deleteProduct',
  weight: 1,
  draw(random, model) {
    const path = productPath(drawId(random, model.products, model.last['product']));
    return {
      method: 'DELETE',
      path,
      sender: drawSender(random, model),
      headers: condition(random, model, path),
    };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const refusals = refusalsOf(model, callerOf(model, call.sender, false))
      .when(!model.products.has(id), 404)
      .when(isStale(model, call.path, call), 412);
    if (!refusals.judge(answer, 204)) return;
    model.products.delete(id);
    changed(model, call.path);
    wrote(model, 'product.deleted', `product:${id}`);
  },
};

const replaceCategories: Action = {
  name: 'replaceProductCategories',
  weight: 3,
  draw(random, model) {
    const id = drawId(random, model.products, model.last['product']);
    const names = ['Garden', 'garden', 'Tools', '__proto__', 'Toys', ' '].filter(() => random.chance(0.4));
    const twice = random.chance(0.1) ? names.slice(0, 1) : [];
    const all = random.chance(0.05)
      ? Array.from({ length: 100 }, (_, place) => `Many ${String(place)}`)
      : names;
    const body = [...all, ...twice].map((name) => ({ name }));
    return { method: 'PUT', path: `${productPath(id)}/categories`, sender: drawSender(random, model), body };
  },
  judge(model, call, answer) {
    const product = model.products.get(call.path.split('/')[3] ?? '');
    const names = (call.body as readonly { readonly name: string }[]).map(({ name }) => name);
    const refusals = refusalsOf(model, callerOf(model, call.sender, false))
      .when(product === undefined, 404)
      .when(new Set(names).size < names.length || names.length > 100, 400);
    if (!refusals.judge(answer, 200) || product === undefined) return;
    product.categories = names;
    wrote(model, 'product.categorized', `product:${product.id}`);
    expectCategories(answer.body, product);
  },
};

const listCategories: Action = {
  name: 'listProductCategories',
  weight: 1,
  draw(random, model) {
    const id = drawId(random, model.products, model.last['product']);
    const path = pathOf(
      `${productPath(id)}/categories`,
      random.chance(0.5) ? drawPaging(random, model.products.get(id)?.categories.length) : {},
    );
    return { method: 'GET', path, sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const product = model.products.get(call.path.split('/')[3] ?? '');
    const refusals = new Refusals()
      .when(callerOf(model, call.sender, false).kind === 'refused', 401)
      .when(product === undefined, 404);
    if (!refusals.judge(answer, 200) || product === undefined) return;
    const query = queryOf(call.path);
    const isPaged = query.has('page') || query.has('limit');
    const paging = pagingOf(query, isPaged ? 10 : 100);
    if (!isPaged) expectCategories(answer.body, product);
    const { length } = answer.body as readonly unknown[];
    same('the page', length, sliceOf(product.categories, paging).length);
    expectPageHeaders(call, answer, product.categories.length, paging);
  },
};

function expectCategories(body: unknown, { categories }: Product): void {
  const records = body as readonly { readonly id: string; readonly name: string }[];
  const ids = records.map(({ id }) => Number(id));
  same(
    'the order of categories',
    ids,
    [...ids].sort((one, other) => one - other),
  );
  same('the categories', records.map(({ name }) => name).sort(), [...categories].sort());
}

export const productActions: readonly Action[] = [
  createProduct,
  getProduct,
  replaceProduct,
  deleteProduct,
  replaceCategories,
  listCategories,
];
