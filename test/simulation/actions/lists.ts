/** Reads the collections of orders, comments, products and posts. */

import { type Action, Refusals, same, sameParts } from '../calls.js';
import { callerOf, isAfter, sorted, maySee, isRefused, type Post } from '../model.js';
import { expectOrder } from './orders.js';
import {
  drawPaging,
  expectCollection,
  expectEach,
  expectPageHeaders,
  pagingOf,
  pathOf,
  queryOf,
  sliceOf,
} from './paging.js';
import { expectProduct } from './products.js';
import { drawId, drawSender } from './senders.js';

const listOrders: Action = {
  name: 'listOrders',
  weight: 3,
  draw(random, model) {
    const userId = random.chance(0.5) ? { userId: drawId(random, model.users, model.last['user']) } : {};
    const sender = drawSender(random, model);
    return { method: 'GET', path: pathOf('/api/orders', { ...userId, ...drawPaging(random) }), sender };
  },
  judge(model, call, answer) {
    const query = queryOf(call.path);
    const caller = callerOf(model, call.sender, true);
    if (!new Refusals().when(isRefused(model, caller), 401).judge(answer, 200)) return;
    const owner = query.get('userId');
    const orders = sorted(model.orders)
      .filter(({ userId }) => owner === null || userId === owner)
      .filter(({ userId }) => maySee(model, caller, userId));
    const paging = pagingOf(query, query.has('page') || query.has('limit') ? 10 : 100);
    expectEach(answer.body, sliceOf(orders, paging), expectOrder);
    expectPageHeaders(answer, orders.length, paging);
  },
};

const listUserOrders: Action = {
  name: 'listUserOrders',
  weight: 2,
  draw(random, model) {
    const id = drawId(random, model.users, model.last['user']);
    return { method: 'GET', path: `/api/users/${id}/orders`, sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const caller = callerOf(model, call.sender, true);
    const refusals = new Refusals().when(isRefused(model, caller), 401).when(!model.users.has(id), 404);
    if (!refusals.judge(answer, 200)) return;
    const seen = sorted(model.orders).filter(({ userId }) => userId === id && maySee(model, caller, id));
    expectEach(answer.body, seen.slice(0, 100), expectOrder);
  },
};

const listComments: Action = {
  name: 'listComments',
  weight: 2,
  draw(random, model) {
    const orderId = random.chance(0.6) ? { orderId: drawId(random, model.orders, model.last['order']) } : {};
    const sender = drawSender(random, model);
    return { method: 'GET', path: pathOf('/api/comments', { ...orderId, ...drawPaging(random) }), sender };
  },
  judge(model, call, answer) {
    const query = queryOf(call.path);
    const caller = callerOf(model, call.sender, true);
    if (!new Refusals().when(isRefused(model, caller), 401).judge(answer, 200)) return;
    const comments = sorted(model.comments)
      .filter(({ orderId }) => !query.has('orderId') || orderId === query.get('orderId'))
      .filter(({ userId, orderId }) => {
        const owner = model.orders.get(orderId)?.userId ?? '';
        return maySee(model, caller, userId) || maySee(model, caller, owner);
      });
    const paging = pagingOf(query, query.has('page') || query.has('limit') ? 10 : 100);
    expectEach(answer.body, sliceOf(comments, paging), (what, one, { text }) => {
      same(what, (one as { readonly text: unknown }).text, text);
    });
    expectPageHeaders(answer, comments.length, paging);
  },
};

const listProducts: Action = {
  name: 'listProducts',
  weight: 1,
  draw(random, model) {
    return {
      method: 'GET',
      path: pathOf('/api/products', drawPaging(random)),
      sender: drawSender(random, model),
    };
  },
  judge(model, call, answer) {
    const refusals = new Refusals().when(callerOf(model, call.sender, false).kind === 'refused', 401);
    if (refusals.judge(answer, 200)) expectCollection(call, answer, sorted(model.products), expectProduct);
  },
};

const getFeed: Action = {
  name: 'getFeed',
  weight: 2,
  draw(random, model) {
    const lastId = random.chance(0.5) ? { lastId: drawId(random, model.posts, model.last['post']) } : {};
    const limit = random.chance(0.5) ? { limit: random.pick(['1', '5', '100', '0', 'x']) } : {};
    return {
      method: 'GET',
      path: pathOf('/api/feed', { ...lastId, ...limit }),
      sender: drawSender(random, model),
    };
  },
  judge(model, call, answer) {
    const refusals = new Refusals().when(callerOf(model, call.sender, false).kind === 'refused', 401);
    if (!refusals.judge(answer, 200)) return;
    const query = queryOf(call.path);
    const { limit } = pagingOf(query, 20);
    const earlier = [...sorted(model.posts)]
      .reverse()
      .filter(({ id }) => !query.has('lastId') || isAfter(query.get('lastId') ?? '0', id));
    const { data, hasMore, lastId } = answer.body as { data: unknown; hasMore: unknown; lastId: unknown };
    expectEach(data, earlier.slice(0, limit), expectPost);
    same('hasMore', hasMore, earlier.length > limit);
    same('lastId', lastId, earlier.slice(0, limit).at(-1)?.id ?? null);
  },
};

function expectPost(what: string, one: unknown, post: Post): void {
  sameParts(what, one, { ...post });
}

/** Before all posts or, with the first digit 9, after them: leap seconds, bounds, and offsets. */
const moments = [
  '2016-12-31T23:59:60Z',
  '2016-12-31T23:59:60.999999999Z',
  '2017-01-01t05:29:60+05:30',
  '0000-01-01T00:00:00Z',
  '9998-12-31T23:59:60Z',
  '9999-12-31T23:59:60Z',
  '9999-12-31T23:59:59.9999999-23:59',
] as const;

/** Reads all posts by time, page after page: the pages together have each post once. */
const listPosts: Action = {
  name: 'listPosts',
  weight: 2,
  draw: (random, model) => ({
    method: 'GET',
    path: `/api/posts?limit=100${random.chance(0.7) ? '' : `&since=${encodeURIComponent(random.pick(moments))}`}`,
    sender: drawSender(random, model),
  }),
  judge(model, call, answer) {
    const refusals = new Refusals().when(callerOf(model, call.sender, false).kind === 'refused', 401);
    if (!refusals.judge(answer, 200)) return;
    const { data, pagination } = answer.body as {
      readonly data: readonly { readonly createdAt: string }[];
      readonly pagination: { readonly since: unknown };
    };
    const since = queryOf(call.path).get('since');
    const isLater = since?.startsWith('9') === true;
    expectEach(data, isLater ? [] : sorted(model.posts).slice(0, 100), expectPost);
    const times = data.map(({ createdAt }) => createdAt);
    same('times that grow', times, [...new Set(times)].sort());
    if (since === null) same('since', pagination.since, times.at(-1) ?? null);
  },
};

const getPost: Action = {
  name: 'getPost',
  weight: 2,
  draw(random, model) {
    const path = `/api/posts/${drawId(random, model.posts, model.last['post'])}`;
    return { method: 'GET', path, sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const post = model.posts.get(call.path.split('/')[3] ?? '');
    const isRefused = callerOf(model, call.sender, false).kind === 'refused';
    const refusals = new Refusals().when(isRefused, 401).when(post === undefined, 404);
    if (refusals.judge(answer, 200) && post !== undefined) expectPost('body', answer.body, post);
  },
};

export const listActions: readonly Action[] = [
  getPost,
  listOrders,
  listUserOrders,
  listComments,
  listProducts,
  getFeed,
  listPosts,
];
