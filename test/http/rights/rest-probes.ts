/** What the walk asks over REST: every operation of `openapi.yaml`, and each rule inside one. */
import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import type { Node } from '../../contract/contract-document.js';
import { compileRoutes } from '../../support/contract-routes.js';
import { ALLOWED, LEFT_OUT, type Probe, type Refusals } from './probe.js';
import { newEmail, type Scene } from './scene.js';

export const restDocument = parseYaml(
  await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8'),
) as Node;
const routeOf = compileRoutes(restDocument);

/** Interface §7. */
export const restRefusals: Refusals = {
  noCredential: '401 No token provided',
  noKey: '401 API key required',
  unauthenticated: '401 Not authenticated',
  forbidden: '403 Insufficient permissions',
};

/** A request: method and path, its body, and the status when it is let through. */
interface Question {
  readonly request: string;
  readonly body?: unknown;
  readonly success?: number;
  /** Whether what the question is about is in the answer. */
  readonly shows?: (body: unknown) => boolean;
}

type Options = Pick<Probe, 'detail' | 'hidden' | 'takes'>;

function probe(
  operation: string,
  rows: Probe['rows'],
  question: (scene: Scene) => Question | Promise<Question>,
  options: Options = {},
): Probe {
  return {
    operation,
    rows,
    ...options,
    async ask(scene) {
      const { request, body, success = 200, shows } = await question(scene);
      const [method = '', path = ''] = request.split(' ');
      const asked = routeOf(path).get(method)?.operation['operationId'];
      if (asked !== operation) throw new Error(`${request} is ${String(asked)}, not ${operation}`);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const answer = await scene.service.send({
        method,
        path,
        headers: { ...scene.headers, ...(sent !== undefined && { 'content-type': 'application/json' }) },
        ...(sent !== undefined && { body: sent }),
      });
      // Where a token would help, HTTP says so (RFC 6750 §3).
      if (answer.status === 401 && options.takes !== 'keys only') {
        expect(answer.headers['www-authenticate'], request).to.equal('Bearer');
      }
      if (answer.status === success) return shows?.(answer.body) === false ? LEFT_OUT : ALLOWED;
      return `${String(answer.status)} ${(answer.body as { error: string }).error}`;
    },
  };
}

const keys = { takes: 'tokens and keys' } as const;
const noOrder = { row: 'orders.read', as: '404 Order not found' } as const;
const noComment = { row: 'comments.read', as: '404 Comment not found' } as const;
const notListed = { row: 'orders.read', as: LEFT_OUT } as const;

const name = 'Countess';
const items = [{ name: 'Thread', unitPrice: 1, quantity: 1 }];
const has = (id: string) => (body: unknown) => (body as readonly { id: string }[]).some((it) => it.id === id);
const userBody = (fields: object = {}) => ({ name, email: newEmail(), ...fields });

const signIn: readonly Probe[] = [
  probe('login', [], ({ stage: { account } }) => ({
    request: 'POST /api/auth/login',
    body: { email: account.email, password: account.password },
  })),
  probe('refreshToken', [], ({ stage: { account } }) => ({
    request: 'POST /api/auth/refresh',
    body: { refreshToken: account.refreshToken },
  })),
  probe('logout', [], () => ({
    request: 'POST /api/auth/logout',
    body: { refreshToken: 'one that is over' },
    success: 204,
  })),
  // No provider is configured: what says so was let through.
  probe('startExternalSignIn', [], () => ({ request: 'GET /api/auth/idp', success: 503 })),
  probe('completeExternalSignIn', [], () => ({ request: 'GET /api/auth/idp/callback', success: 503 })),
];

const users: readonly Probe[] = [
  probe('getProfile', ['profile.read'], () => ({ request: 'GET /api/profile' })),
  probe('listUsers', ['users.read'], () => ({ request: 'GET /api/users' }), keys),
  probe(
    'listUsers',
    ['users.read'],
    async (scene) => {
      const { ownerId } = scene;
      const { id } = await scene.order();
      const shows = (body: unknown) => {
        const { data } = body as { data: readonly { id: string; orders: readonly { id: string }[] }[] };
        return has(id)(data.find((user) => user.id === ownerId)?.orders);
      };
      return { request: `GET /api/users?embed=orders&cursor=${String(Number(ownerId) - 1)}`, shows };
    },
    { ...keys, hidden: notListed, detail: 'with their orders' },
  ),
  probe('listUsersV1', ['users.read'], () => ({ request: 'GET /api/v1/users' }), keys),
  probe('listUsersV2', ['users.read'], () => ({ request: 'GET /api/v2/users' }), keys),
  probe('createUser', ['users.create'], () => ({
    request: 'POST /api/users',
    body: userBody(),
    success: 201,
  })),
  ...[{ role: 'user' }, { role: 'admin' }, { status: 'active' }].map((fields) =>
    probe(
      'createUser',
      ['users.create', 'users.giveRole'],
      () => ({ request: 'POST /api/users', body: userBody(fields), success: 201 }),
      { detail: `with ${JSON.stringify(fields)}` },
    ),
  ),
  probe('getUser', ['users.read'], ({ ownerId }) => ({ request: `GET /api/users/${ownerId}` }), keys),
  probe('replaceUser', ['users.update'], ({ ownerId }) => ({
    request: `PUT /api/users/${ownerId}`,
    body: userBody(),
  })),
  ...[{ role: 'user' }, { role: 'admin' }, { status: 'inactive' }].map((fields) =>
    probe(
      'replaceUser',
      ['users.update', 'users.giveRole'],
      ({ ownerId }) => ({ request: `PUT /api/users/${ownerId}`, body: userBody(fields) }),
      { detail: `with ${JSON.stringify(fields)}` },
    ),
  ),
  probe(
    'replaceUser',
    ['users.update', 'users.changePassword'],
    ({ ownerId }) => ({
      request: `PUT /api/users/${ownerId}`,
      body: userBody({ password: 'another password' }),
    }),
    { detail: 'with a password' },
  ),
  probe('activateUser', ['users.activate'], ({ ownerId }) => ({
    request: `POST /api/users/${ownerId}/activate`,
  })),
  probe('deleteUser', ['users.delete'], ({ ownerId }) => ({
    request: `DELETE /api/users/${ownerId}`,
    success: 204,
  })),
];

const orders: readonly Probe[] = [
  probe(
    'listUserOrders',
    ['orders.read'],
    async (scene) => ({
      shows: has((await scene.order()).id),
      request: `GET /api/users/${scene.ownerId}/orders`,
    }),
    { ...keys, hidden: notListed },
  ),
  probe(
    'getUserOrder',
    ['orders.read'],
    async (scene) => ({ request: `GET /api/users/${scene.ownerId}/orders/${(await scene.order()).id}` }),
    { ...keys, hidden: noOrder },
  ),
  probe(
    'getUserOrderItem',
    ['orders.read'],
    async (scene) => {
      const { id, items } = await scene.order();
      return {
        request: `GET /api/users/${scene.ownerId}/orders/${id}/items/${String(items[0]?.id)}`,
      };
    },
    { ...keys, hidden: noOrder },
  ),
  probe(
    'listOrders',
    ['orders.read'],
    async (scene) => {
      const shows = has((await scene.order()).id);
      // The newest order is at the end of all that the caller sees.
      const { headers } = await scene.service.get('/api/orders?limit=1', scene.headers);
      const page = Math.max(1, Math.ceil(Number(headers['x-total-count'] ?? 0) / 100));
      return { request: `GET /api/orders?limit=100&page=${String(page)}`, shows };
    },
    { ...keys, hidden: notListed },
  ),
  probe(
    'listOrders',
    ['orders.read'],
    async (scene) => ({
      shows: has((await scene.order()).id),
      request: `GET /api/orders?userId=${scene.ownerId}`,
    }),
    { ...keys, hidden: notListed, detail: 'of the owner' },
  ),
  probe('createOrder', ['orders.create'], ({ ownerId: userId }) => ({
    request: 'POST /api/orders',
    body: { userId, items },
    success: 201,
  })),
  probe(
    'getOrder',
    ['orders.read'],
    async (scene) => ({ request: `GET /api/orders/${(await scene.order()).id}` }),
    { ...keys, hidden: noOrder },
  ),
  probe(
    'replaceOrder',
    ['orders.replace'],
    async (scene) => ({ request: `PUT /api/orders/${(await scene.order()).id}`, body: { items } }),
    { hidden: noOrder },
  ),
  probe(
    'updateOrder',
    ['orders.changeStatus'],
    async (scene) => ({
      request: `PATCH /api/orders/${(await scene.order()).id}`,
      body: { status: 'processing' },
    }),
    { hidden: noOrder },
  ),
  probe(
    'deleteOrder',
    ['orders.delete'],
    async (scene) => ({ request: `DELETE /api/orders/${(await scene.order()).id}`, success: 204 }),
    { hidden: noOrder },
  ),
  ...(['processing', 'completed'] as const).map((status) =>
    probe(
      'deleteOrder',
      ['orders.delete', 'orders.deleteStarted'],
      async (scene) => ({ request: `DELETE /api/orders/${(await scene.order(status)).id}`, success: 204 }),
      { hidden: noOrder, detail: `that is ${status}` },
    ),
  ),
  ...(['pending', 'processing'] as const).map((status) =>
    probe(
      'cancelOrder',
      ['orders.cancel'],
      async (scene) => ({ request: `POST /api/orders/${(await scene.order(status)).id}/cancel` }),
      { hidden: noOrder, detail: `that is ${status}` },
    ),
  ),
  probe(
    'refundOrder',
    ['orders.refund'],
    async (scene) => ({ request: `POST /api/orders/${(await scene.order('completed')).id}/refund` }),
    { hidden: noOrder },
  ),
];

const productBody = { name: 'Shuttle', price: 2 };

const products: readonly Probe[] = [
  probe('listProducts', ['products.read'], () => ({ request: 'GET /api/products' })),
  probe('getProduct', ['products.read'], async (scene) => ({
    request: `GET /api/products/${await scene.product()}`,
  })),
  probe('listProductCategories', ['products.read'], async (scene) => ({
    request: `GET /api/products/${await scene.product()}/categories`,
  })),
  probe('createProduct', ['products.write'], () => ({
    request: 'POST /api/products',
    body: productBody,
    success: 201,
  })),
  probe('replaceProduct', ['products.write'], async (scene) => ({
    request: `PUT /api/products/${await scene.product()}`,
    body: productBody,
  })),
  probe('replaceProductCategories', ['products.write'], async (scene) => ({
    request: `PUT /api/products/${await scene.product()}/categories`,
    body: [{ name: 'Tools' }],
  })),
  probe('deleteProduct', ['products.write'], async (scene) => ({
    request: `DELETE /api/products/${await scene.product()}`,
    success: 204,
  })),
];

const comments: readonly Probe[] = [
  probe(
    'listComments',
    ['comments.read'],
    async (scene) => {
      const { id, orderId } = await scene.comment();
      return { request: `GET /api/comments?orderId=${orderId}`, shows: has(id) };
    },
    { ...keys, hidden: { row: 'comments.read', as: LEFT_OUT } },
  ),
  probe(
    'getComment',
    ['comments.read'],
    async (scene) => ({ request: `GET /api/comments/${(await scene.comment()).id}` }),
    { ...keys, hidden: noComment },
  ),
  probe(
    'createComment',
    ['comments.create'],
    async (scene) => ({
      request: 'POST /api/comments',
      // Who has no name must give one.
      body: {
        orderId: (await scene.order()).id,
        text: 'Hello',
        ...(scene.isNameless && { userId: scene.ownerId }),
      },
      success: 201,
    }),
    // What may not be read is not there to be commented on.
    { hidden: { row: 'orders.read', as: '400 orderId must be the id of an order' } },
  ),
  probe(
    'createComment',
    ['comments.create', 'comments.createAs'],
    async (scene) => ({
      request: 'POST /api/comments',
      body: { orderId: (await scene.order()).id, text: 'Hello', userId: scene.ownerId },
      success: 201,
    }),
    { detail: 'in the name of the owner' },
  ),
];

const others: readonly Probe[] = [
  probe('listPosts', ['posts.read'], () => ({ request: 'GET /api/posts' })),
  probe('getFeed', ['posts.read'], () => ({ request: 'GET /api/feed' })),
  probe('listApiKeys', ['keys.manage'], () => ({ request: 'GET /api/keys' })),
  probe('createApiKey', ['keys.manage'], () => ({
    request: 'POST /api/keys',
    body: { name: 'Another' },
    success: 201,
  })),
  probe('getCurrentApiKey', ['keys.readOwn'], () => ({ request: 'GET /api/keys/current' }), {
    takes: 'keys only',
  }),
  probe('deleteApiKey', ['keys.manage'], async (scene) => ({
    request: `DELETE /api/keys/${await scene.newKey()}`,
    success: 204,
  })),
];

export const restProbes: readonly Probe[] = [
  ...signIn,
  ...users,
  ...orders,
  ...products,
  ...comments,
  ...others,
];
