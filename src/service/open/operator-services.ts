/** Creates the services for the command line. Operators bypass the policy, because they can access the database anyway. */

import {
  type Services,
  type ServicesOptions,
  type Storage,
  createServices,
  openPolicy,
} from '@concordat/core';

/** Creates the services; call them as the caller `operator`. */
export function operatorServices(
  storage: Storage,
  options: Pick<ServicesOptions, 'passwordHasher' | 'events' | 'report'> = {},
): Services {
  return createServices({ storage, policy: openPolicy, ...options });
}
