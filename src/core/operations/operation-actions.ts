/** Maps each operation of the contract to its action in the table of rights. */

import type { Operations } from '../../../generated/operations.js';
import type { OperationContract, RestContract, Signatures } from 'concordat';
import { anonymous } from '../services/caller.js';
import type { Action } from '../services/policy.js';
import type { Rights } from '../services/rights.js';

/**
 * The action that a caller must be allowed before the operation reads anything; undefined for operations that give a caller
 * a credential. This check alone is not enough: the services check again with the record.
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
  deleteProduct: 'products.write',
  listProductCategories: 'products.read',
  replaceProductCategories: 'products.write',

  listComments: 'comments.read',
  createComment: 'comments.create',
  getComment: 'comments.read',

  listPosts: 'posts.read',
  getFeed: 'posts.read',

  listApiKeys: 'keys.manage',
  createApiKey: 'keys.manage',
  getCurrentApiKey: 'keys.readOwn',
  deleteApiKey: 'keys.manage',
};

/**
 * The contract for a deployment's policy. The contract makes a credential optional wherever some policy may be public. Where
 * this policy is not, a request without a credential is refused before it is read (`No token provided`).
 */
export function narrowSecurity<
  Id extends keyof typeof operationActions,
  Scheme extends string,
  Handlers extends Signatures<Handlers>,
>(contract: RestContract<Id, Scheme, Handlers>, rights: Rights): RestContract<Id, Scheme, Handlers> {
  const operations: Record<Id, OperationContract> = { ...contract.operations };
  for (const id of Object.keys(operations) as Id[]) {
    const action = operationActions[id];
    if (action === undefined || rights.mayEver(anonymous, action)) continue;
    const security = operations[id].security.filter((requirement) => Object.keys(requirement).length > 0);
    // An empty list would mean that no credential is read.
    if (security.length > 0) operations[id] = { ...operations[id], security };
  }
  return { ...contract, operations };
}
