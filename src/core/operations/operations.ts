/** Every REST operation of the service, over its services. */
import type { CallContext } from 'concordat';
import type { Operations } from '../../../generated/operations.js';
import type { Caller } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import { commentOperations } from './comments.js';
import { type ListUsersOptions, listUsersOperations } from './list-users.js';
import { orderOperations } from './orders.js';
import { postOperations } from './posts.js';
import { productOperations } from './products.js';
import { apiKeyOperations, authOperations, externalSignInOperations } from './sign-in.js';
import { userPresenter, userOperations } from './users.js';

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
    ...orderOperations(services),
    ...productOperations(services),
    ...commentOperations(services),
    ...postOperations(services),
    ...externalSignInOperations(services),
    ...authOperations(services),
    ...apiKeyOperations(services),
  };
}
