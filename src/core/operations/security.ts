/** Authenticates callers over HTTP: a handler per security scheme. */

import type { SecuritySchemeName } from '../../../generated/operations.js';
import type { SecurityHandler } from 'concordat';
import type { AuthenticationService } from '../services/authentication.js';
import type { Caller } from '../services/caller.js';

/** The messages are fixed by the contract. */
export function securityHandlers(
  authentication: AuthenticationService,
): Readonly<Record<SecuritySchemeName, SecurityHandler<Caller>>> {
  return {
    bearerAuth: {
      missing: 'No token provided',
      authenticate: async (token) =>
        (await authentication.callerOfToken(token)) ?? { refused: 'Invalid token' },
    },
    apiKeyAuth: {
      missing: 'API key required',
      async authenticate(key) {
        const caller = await authentication.callerOfApiKey(key);
        return caller === undefined ? { refused: 'Invalid API key' } : { caller };
      },
    },
  };
}
