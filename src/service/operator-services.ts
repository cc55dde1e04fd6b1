/** The core as whoever operates the service uses it from the command line: no policy binds who holds the database. */

import {
  type Services,
  type ServicesOptions,
  type Storage,
  createServices,
  openPolicy,
} from '@concordat/core';

/** To be called by the `operator`. */
export function operatorServices(
  storage: Storage,
  options: Pick<ServicesOptions, 'passwordHasher'> = {},
): Services {
  return createServices({ storage, policy: openPolicy, ...options });
}
