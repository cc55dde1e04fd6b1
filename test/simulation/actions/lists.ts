/** Reads the collections of orders, comments, products and posts. */

import { type Action, Refusals, same, sameParts } from '../calls.js';
import { callerOf, isAfter, sorted, maySee, isRefused, type Model, type Post } from '../model.js';
import { expectAllSeen, judgeRead, unlessKnown } from '../records.js';
import { expectOrder } from './orders.js';
import {
  drawEnvelope,
  drawPaging,
  expectCollection,
  expectEach,
  expectPageHeaders,
  oddNumbers,
  pagingOf,
  pathOf,
  queryOf,
  sliceOf,
} from './paging.js';
import { expectProduct } from './products.js';
import { drawId, drawOrderId, drawSender, drawUserId } from './senders.js';

const listOrders: Action = {
  name: 'listOrders',
  weight: 3,
  draw(random, model) {
    const userId = random.chance(0.5) ? { userId: drawUserId(random, model) } : {};
    const sender = drawSender(random, model);
    return {
      method: 'GET',
      path: pathOf('/api/orders', { ...userId, ...drawPaging(random, model.orders.size) }),
      sender,
    };
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
    expectAllSeen(model, '/api/orders', answer.body);
    expectPageHeaders(call, answer, orders.length, paging);
  },
};

const listUserOrders: Action = {
  name: 'listUserOrders',
  weight: 2,
  draw(random, model) {
    const path = pathOf(`/api/users/${drawUserId(random, model)}/orders`, drawPaging(random));
    return { method: 'GET', path, sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const caller = callerOf(model, call.sender, true);
    const refusals = new Refusals().when(isRefused(model, caller), 401).when(!model.users.has(id), 404);
    if (!refusals.judge(answer, 200)) return;
    const seen = sorted(model.orders).filter(({ userId }) => userId === id && maySee(model, caller, id));
    const query = queryOf(call.path);
    const paging = pagingOf(query, query.has('page') || query.has('limit') ? 10 : 100);
    expectEach(answer.body, sliceOf(seen, paging), expectOrder);
    expectAllSeen(model, '/api/orders', answer.body);
    expectPageHeaders(call, answer, seen.length, paging);
  },
};

const listComments: Action = {
  name: 'listComments',
  weight: 2,
  draw(random, model) {
    const orderId = random.chance(0.6) ? { orderId: drawOrderId(random, model) } : {};
    const sender = drawSender(random, model);
    return {
      method: 'GET',
      path: pathOf('/api/comments', { ...orderId, ...drawPaging(random, model.comments.size) }),
      sender,
    };
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
    expectEach(answer.body, sliceOf(comments, paging), (what, one, comment) => {
      sameParts(what, one, { ...comment });
    });
    expectAllSeen(model, '/api/comments', answer.body);
    expectPageHeaders(call, answer, comments.length, paging);
  },
};

const listProducts: Action = {
  name: 'listProducts',
  weight: 1,
  draw(random, model) {
    return {
      method: 'GET',
      path: pathOf('/api/products', { ...drawEnvelope(random), ...drawPaging(random, model.products.size) }),
      sender: drawSender(random, model),
    };
  },
  judge(model, call, answer) {
    const refusals = new Refusals().when(callerOf(model, call.sender, false).kind === 'refused', 401);
    if (!refusals.judge(answer, 200)) return;
    expectCollection(call, answer, sorted(model.products), expectProduct);
  },
};

const getFeed: Action = {
  name: 'getFeed',
  weight: 2,
  draw(random, model) {
    const limit = random.chance(0.6)
      ? random.pick(['1', '5', '20', '99', '100', '101', ...oddNumbers])
      : undefined;
    // Of those before it, some are as many as a page has.
    const place = Number(limit ?? 20) + random.whole(0, 1);
    const near = random.chance(0.5) ? sorted(model.posts)[place]?.id : undefined;
    const lastId = random.chance(0.6) ? (near ?? drawId(random, model.posts, model.last['post'])) : undefined;
    const query = { ...(lastId !== undefined && { lastId }), ...(limit !== undefined && { limit }) };
    return { method: 'GET', path: pathOf('/api/feed', query), sender: drawSender(random, model) };
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
    expectAllSeen(model, '/api/posts', data);
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

/** The times at which posts were made, as far as they were answered. */
function timesOf(model: Model): ReadonlyMap<string, string> {
  const seen = [...model.posts.keys()].map((id) => [id, model.seen.get(`/api/posts/${id}`)?.body] as const);
  return new Map(
    seen.flatMap(([id, body]) => (body === undefined ? [] : [[id, (body as Timed).createdAt] as const])),
  );
}

interface Timed {
  readonly createdAt: string;
}

/** Reads posts by time, from the start, from the time of one of them, or from a moment before or after all. */
const listPosts: Action = {
  name: 'listPosts',
  weight: 3,
  draw(random, model) {
    const known = random.pick([...timesOf(model).values()]);
    const time = random.chance(0.6) ? (known ?? moments[0]) : random.pick(moments);
    // The same moment, on the clock of another place.
    const since = random.chance(0.2) ? time.replace(/Z$/, '+00:00') : time;
    const query = {
      ...(random.chance(0.6) && { limit: random.pick(['1', '10', '99', '100', '101', ...oddNumbers]) }),
      ...(random.chance(0.5) && { since }),
    };
    return { method: 'GET', path: pathOf('/api/posts', query), sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const refusals = new Refusals().when(callerOf(model, call.sender, false).kind === 'refused', 401);
    if (!refusals.judge(answer, 200)) return;
    const query = queryOf(call.path);
    const since = query.get('since') ?? '0';
    const { limit } = pagingOf(query, 10);
    const { data, pagination } = answer.body as {
      readonly data: readonly Timed[];
      readonly pagination: object;
    };
    // Times ascend with ids. Those that no post has are before all of them, or after them.
    const times = [...timesOf(model)];
    const [place] = times.find(([, time]) => time === since.replace('+00:00', 'Z')) ?? [];
    const isLater = since.startsWith('9');
    const posts = sorted(model.posts).filter(({ id }) => !isLater && isAfter(id, place ?? '0'));
    expectEach(data, posts.slice(0, limit), expectPost);
    expectAllSeen(model, '/api/posts', data);
    const answered = data.map(({ createdAt }) => createdAt);
    same('times that grow', answered, [...new Set(answered)].sort());
    same('pagination', pagination, { since: answered.at(-1) ?? null, limit });
  },
};

const getPost: Action = {
  name: 'getPost',
  weight: 2,
  draw(random, model) {
    const path = `/api/posts/${drawId(random, model.posts, model.last['post'])}`;
    return {
      method: 'GET',
      path,
      sender: drawSender(random, model),
      headers: unlessKnown(random, model, path),
    };
  },
  judge(model, call, answer) {
    const post = model.posts.get(call.path.split('/')[3] ?? '');
    const isRefused = callerOf(model, call.sender, false).kind === 'refused';
    const refusals = new Refusals().when(isRefused, 401).when(post === undefined, 404);
    const isRead = judgeRead(model, call.path, call, answer, refusals);
    if (isRead && post !== undefined) expectPost('body', answer.body, post);
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
