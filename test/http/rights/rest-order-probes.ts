/** The REST probes of orders. */
import { LEFT_OUT, type Probe } from './probe.js';
import { has, keys, restProbe } from './rest-probe.js';

const noOrder = { row: 'orders.read', as: '404 Order not found' } as const;
const notListed = { row: 'orders.read', as: LEFT_OUT } as const;
const items = [{ name: 'Thread', unitPrice: 1, quantity: 1 }];

export const orderProbes: readonly Probe[] = [
  restProbe(
    'listUserOrders',
    ['orders.read'],
    async (scene) => ({
      shows: has((await scene.order()).id),
      request: `GET /api/users/${scene.ownerId}/orders`,
    }),
    { ...keys, hidden: notListed },
  ),
  restProbe(
    'getUserOrder',
    ['orders.read'],
    async (scene) => ({ request: `GET /api/users/${scene.ownerId}/orders/${(await scene.order()).id}` }),
    { ...keys, hidden: noOrder },
  ),
  restProbe(
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
  restProbe(
    'listOrders',
    ['orders.read'],
    async (scene) => {
      const shows = has((await scene.order()).id);
      // The newest order is at the end of the caller's list.
      const { headers } = await scene.service.get('/api/orders?limit=1', scene.headers);
      const page = Math.max(1, Math.ceil(Number(headers['x-total-count'] ?? 0) / 100));
      return { request: `GET /api/orders?limit=100&page=${String(page)}`, shows };
    },
    { ...keys, hidden: notListed },
  ),
  restProbe(
    'listOrders',
    ['orders.read'],
    async (scene) => ({
      shows: has((await scene.order()).id),
      request: `GET /api/orders?userId=${scene.ownerId}`,
    }),
    { ...keys, hidden: notListed, detail: 'of the owner' },
  ),
  restProbe('createOrder', ['orders.create'], ({ ownerId: userId }) => ({
    request: 'POST /api/orders',
    body: { userId, items },
    success: 201,
  })),
  restProbe(
    'getOrder',
    ['orders.read'],
    async (scene) => ({ request: `GET /api/orders/${(await scene.order()).id}` }),
    { ...keys, hidden: noOrder },
  ),
  restProbe(
    'replaceOrder',
    ['orders.replace'],
    async (scene) => ({ request: `PUT /api/orders/${(await scene.order()).id}`, body: { items } }),
    { hidden: noOrder },
  ),
  restProbe(
    'updateOrder',
    ['orders.changeStatus'],
    async (scene) => ({
      request: `PATCH /api/orders/${(await scene.order()).id}`,
      body: { status: 'processing' },
    }),
    { hidden: noOrder },
  ),
  ...[{ items }, {}].map((body) =>
    restProbe(
      'updateOrder',
      ['orders.replace'],
      async (scene) => ({ request: `PATCH /api/orders/${(await scene.order()).id}`, body }),
      { hidden: noOrder, detail: `with ${Object.keys(body).join() || 'nothing'}` },
    ),
  ),
  restProbe(
    'updateOrder',
    ['orders.changeStatus'],
    async (scene) => ({ request: `PATCH /api/orders/${(await scene.order('processing')).id}`, body: {} }),
    { hidden: noOrder, detail: 'with nothing, that is processing' },
  ),
  restProbe(
    'deleteOrder',
    ['orders.delete'],
    async (scene) => ({ request: `DELETE /api/orders/${(await scene.order()).id}`, success: 204 }),
    { hidden: noOrder },
  ),
  ...(['processing', 'completed'] as const).map((status) =>
    restProbe(
      'deleteOrder',
      ['orders.delete', 'orders.deleteStarted'],
      async (scene) => ({ request: `DELETE /api/orders/${(await scene.order(status)).id}`, success: 204 }),
      { hidden: noOrder, detail: `that is ${status}` },
    ),
  ),
  ...(['pending', 'processing'] as const).map((status) =>
    restProbe(
      'cancelOrder',
      ['orders.cancel'],
      async (scene) => ({ request: `POST /api/orders/${(await scene.order(status)).id}/cancel` }),
      { hidden: noOrder, detail: `that is ${status}` },
    ),
  ),
  restProbe(
    'refundOrder',
    ['orders.refund'],
    async (scene) => ({ request: `POST /api/orders/${(await scene.order('completed')).id}/refund` }),
    { hidden: noOrder },
  ),
];
