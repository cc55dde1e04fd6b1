/** Which row of the table of rights each operation asks for: where the contract and the table meet. */

import type { Operations } from '../../../generated/operations.js';
import type { OperationContract, RestContract, Signatures } from 'concordat';
import { anonymous } from '../services/caller.js';
import type { Action } from '../services/policy.js';
import type { Rights } from '../services/rights.js';

/**
 * What a caller must be admitted to before the operation looks at anything; undefined for operations that are how a caller
 * comes by a credential. The services ask again, knowing what it is about: this alone lets nobody in.
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
 * The contract as a deployment runs it. It lets everybody into what some policy may make public; where this one does not,
 * a request without a credential is refused before anything of it is read (`No token provided`).
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
    // An empty list would ask for nothing.
    if (security.length > 0) operations[id] = { ...operations[id], security };
  }
  return { ...contract, operations };
}
