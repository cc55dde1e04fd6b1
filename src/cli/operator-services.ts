/** The core as whoever operates the service uses it from the command line: no policy binds who holds the database. */

import type { Storage } from '../core/ports/storage.js';
import { openPolicy } from '../core/services/policy.js';
import { type Services, type ServicesOptions, createServices } from '../core/services/services.js';

/** To be called by the `operator`. */
export function operatorServices(
  storage: Storage,
  options: Pick<ServicesOptions, 'passwordHasher'> = {},
): Services {
  return createServices({ storage, policy: openPolicy, ...options });
}
