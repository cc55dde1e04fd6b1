/** The action of each operation in the policy. */
import type { Operations } from '../../../generated/operations.js';
import type { Action } from '../services/rights/policy.js';

/**
 * The action of each operation; undefined for signing in and out, which the policy does not govern. It is read once, when the
 * engine is made, to find the operations that need a credential under a policy: on each request, only the services decide.
 */
export const operationActions: Readonly<Record<keyof Operations, Action | undefined>> = {
  login: undefined,
  refreshToken: undefined,
  logout: undefined,
  startExternalSignIn: undefined,
  completeExternalSignIn: undefined,
  getProfile: 'profile.read',

  listUsers: 'users.read',
  listUsersV1: 'users.read',
  listUsersV2: 'users.read',
  createUser: 'users.create',
  getUser: 'users.read',
  replaceUser: 'users.update',
  updateUser: 'users.update',
  deleteUser: 'users.delete',
  activateUser: 'users.activate',
  endUserSessions: 'users.endSessions',

  listUserOrders: 'orders.read',
  getUserOrder: 'orders.read',
  getUserOrderItem: 'orders.read',
  listOrders: 'orders.read',
  createOrder: 'orders.create',
  getOrder: 'orders.read',
  replaceOrder: 'orders.replace',
  updateOrder: 'orders.changeStatus',
  deleteOrder: 'orders.delete',
  cancelOrder: 'orders.cancel',
  refundOrder: 'orders.refund',

  listProducts: 'products.read',
  createProduct: 'products.write',
  getProduct: 'products.read',
  replaceProduct: 'products.write',
  updateProduct: 'products.write',
  deleteProduct: 'products.write',
  listProductCategories: 'products.read',
  replaceProductCategories: 'products.write',

  listComments: 'comments.read',
  createComment: 'comments.create',
  getComment: 'comments.read',

  listPosts: 'posts.read',
  getPost: 'posts.read',
  getFeed: 'posts.read',

  listApiKeys: 'keys.manage',
  createApiKey: 'keys.manage',
  getCurrentApiKey: 'keys.readOwn',
  deleteApiKey: 'keys.manage',

  listWebhooks: 'webhooks.manage',
  createWebhook: 'webhooks.manage',
  getWebhook: 'webhooks.manage',
  getWebhookQueue: 'webhooks.manage',
  deleteWebhook: 'webhooks.manage',
  updateWebhook: 'webhooks.manage',
  rotateWebhookSecret: 'webhooks.manage',
  testWebhook: 'webhooks.manage',
  listWebhookDeliveries: 'webhooks.manage',
  redeliverWebhook: 'webhooks.manage',

  listAuditEntries: 'audit.read',
};
