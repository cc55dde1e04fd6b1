/** The REST probes: every operation of `openapi.yaml`, and each rule within one. */
import { deadUrl } from './scene.js';
import { LEFT_OUT, type Probe } from './probe.js';
import { has, keys, restProbe } from './rest-probe.js';
import { orderProbes } from './rest-order-probes.js';
import { signInProbes, userProbes } from './rest-user-probes.js';

const productBody = { name: 'Shuttle', price: 2 };

const products: readonly Probe[] = [
  restProbe('listProducts', ['products.read'], () => ({ request: 'GET /api/products' })),
  restProbe('getProduct', ['products.read'], async (scene) => ({
    request: `GET /api/products/${await scene.product()}`,
  })),
  restProbe('listProductCategories', ['products.read'], async (scene) => ({
    request: `GET /api/products/${await scene.product()}/categories`,
  })),
  restProbe('createProduct', ['products.write'], () => ({
    request: 'POST /api/products',
    body: productBody,
    success: 201,
  })),
  restProbe('replaceProduct', ['products.write'], async (scene) => ({
    request: `PUT /api/products/${await scene.product()}`,
    body: productBody,
  })),
  restProbe('updateProduct', ['products.write'], async (scene) => ({
    request: `PATCH /api/products/${await scene.product()}`,
    body: { price: 3 },
  })),
  restProbe('replaceProductCategories', ['products.write'], async (scene) => ({
    request: `PUT /api/products/${await scene.product()}/categories`,
    body: [{ name: 'Tools' }],
  })),
  restProbe('deleteProduct', ['products.write'], async (scene) => ({
    request: `DELETE /api/products/${await scene.product()}`,
    success: 204,
  })),
];

const comments: readonly Probe[] = [
  restProbe(
    'listComments',
    ['comments.read'],
    async (scene) => {
      const { id, orderId } = await scene.comment();
      return { request: `GET /api/comments?orderId=${orderId}`, shows: has(id) };
    },
    { ...keys, hidden: { row: 'comments.read', as: LEFT_OUT } },
  ),
  restProbe(
    'getComment',
    ['comments.read'],
    async (scene) => ({ request: `GET /api/comments/${(await scene.comment()).id}` }),
    { ...keys, hidden: { row: 'comments.read', as: '404 Comment not found' } },
  ),
  restProbe(
    'createComment',
    ['comments.create'],
    async (scene) => ({
      request: 'POST /api/comments',
      // A caller without a user must name one.
      body: {
        orderId: (await scene.order()).id,
        text: 'Hello',
        ...(scene.isNameless && { userId: scene.ownerId }),
      },
      success: 201,
    }),
    // An order that the caller may not read cannot be commented on.
    { hidden: { row: 'orders.read', as: '400 body/orderId must be the id of an order' } },
  ),
  restProbe(
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
  restProbe('listPosts', ['posts.read'], () => ({ request: 'GET /api/posts' })),
  restProbe('getPost', ['posts.read'], async (scene) => ({
    request: `GET /api/posts/${await scene.post()}`,
  })),
  restProbe('getFeed', ['posts.read'], () => ({ request: 'GET /api/feed' })),
  restProbe('listApiKeys', ['keys.manage'], () => ({ request: 'GET /api/keys' })),
  restProbe('createApiKey', ['keys.manage'], () => ({
    request: 'POST /api/keys',
    body: { name: 'Another' },
    success: 201,
  })),
  restProbe('getCurrentApiKey', ['keys.readOwn'], () => ({ request: 'GET /api/keys/current' }), {
    takes: 'keys only',
  }),
  restProbe('deleteApiKey', ['keys.manage'], async (scene) => ({
    request: `DELETE /api/keys/${await scene.newKey()}`,
    success: 204,
  })),
  restProbe('listWebhooks', ['webhooks.manage'], () => ({ request: 'GET /api/webhooks' })),
  restProbe('createWebhook', ['webhooks.manage'], () => ({
    request: 'POST /api/webhooks',
    body: { url: deadUrl, types: ['product.categorized'] },
    success: 201,
  })),
  restProbe('getWebhook', ['webhooks.manage'], async (scene) => ({
    request: `GET /api/webhooks/${await scene.newWebhook()}`,
  })),
  restProbe('getWebhookQueue', ['webhooks.manage'], () => ({ request: 'GET /api/webhooks/queue' })),
  restProbe('listAuditEntries', ['audit.read'], () => ({ request: 'GET /api/audit' })),
  restProbe('updateWebhook', ['webhooks.manage'], async (scene) => ({
    request: `PATCH /api/webhooks/${await scene.newWebhook()}`,
    body: { status: 'disabled' },
  })),
  restProbe('deleteWebhook', ['webhooks.manage'], async (scene) => ({
    request: `DELETE /api/webhooks/${await scene.newWebhook()}`,
    success: 204,
  })),
  restProbe('rotateWebhookSecret', ['webhooks.manage'], async (scene) => ({
    request: `POST /api/webhooks/${await scene.newWebhook()}/rotate`,
  })),
  restProbe('testWebhook', ['webhooks.manage'], async (scene) => ({
    request: `POST /api/webhooks/${await scene.newWebhook()}/test`,
  })),
  restProbe('listWebhookDeliveries', ['webhooks.manage'], async (scene) => ({
    request: `GET /api/webhooks/${await scene.newWebhook()}/deliveries`,
  })),
  restProbe('redeliverWebhook', ['webhooks.manage'], async (scene) => ({
    request: `POST /api/webhooks/${await scene.newWebhook()}/redeliver`,
    body: {},
  })),
];

export const restProbes: readonly Probe[] = [
  ...signInProbes,
  ...userProbes,
  ...orderProbes,
  ...products,
  ...comments,
  ...others,
];
