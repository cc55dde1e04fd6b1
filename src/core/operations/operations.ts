/** Every REST operation of the service, over its services. */

import type { Operations } from '../../../generated/operations.js';
import type { CallContext } from '../../engine/index.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { type ListUsersOptions, listUsersOperations } from './list-users.js';
import { notImplemented } from './not-implemented.js';
import { userPresenter } from './present-users.js';
import { userOperations } from './users.js';

/**
 * Makes the handlers of the contract.
 *
 * @example
 * ```ts
 * const operations = createOperations(createServices({ storage, policy }), { reportVersions: true });
 * const engine = restEngine({ contract, operations, ...serviceEngine });
 * ```
 */
export function createOperations(
  services: Services,
  options: ListUsersOptions,
): Operations<CallContext<Caller>> {
  const present = userPresenter(services);
  return {
    ...userOperations(services, present),
    ...listUsersOperations(services, present, options),
    login: notImplemented,
    refreshToken: notImplemented,
    logout: notImplemented,
    startExternalSignIn: notImplemented,
    completeExternalSignIn: notImplemented,
    getProfile: notImplemented,
    deleteUser: notImplemented,
    activateUser: notImplemented,
    listUserOrders: notImplemented,
    getUserOrder: notImplemented,
    getUserOrderItem: notImplemented,
    listOrders: notImplemented,
    createOrder: notImplemented,
    getOrder: notImplemented,
    replaceOrder: notImplemented,
    deleteOrder: notImplemented,
    updateOrder: notImplemented,
    cancelOrder: notImplemented,
    refundOrder: notImplemented,
    listProducts: notImplemented,
    createProduct: notImplemented,
    getProduct: notImplemented,
    replaceProduct: notImplemented,
    deleteProduct: notImplemented,
    listProductCategories: notImplemented,
    replaceProductCategories: notImplemented,
    listComments: notImplemented,
    createComment: notImplemented,
    getComment: notImplemented,
    listPosts: notImplemented,
    getFeed: notImplemented,
    listApiKeys: notImplemented,
    createApiKey: notImplemented,
    getCurrentApiKey: notImplemented,
    deleteApiKey: notImplemented,
  };
}
