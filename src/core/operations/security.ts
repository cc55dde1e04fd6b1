/** Authenticates callers over HTTP: a handler per security scheme. */

import type { SecuritySchemeName } from '../../../generated/operations.js';
import type { SecurityHandler } from 'concordat';
import type { AuthenticationService } from '../services/authentication.js';
import type { Caller } from '../services/caller.js';

/** One handler per security scheme of the contract. */
export type SecurityHandlers = Readonly<Record<SecuritySchemeName, SecurityHandler<Caller>>>;

/** The handlers that ask the core's own authentication. */
export function securityHandlers(authentication: AuthenticationService): SecurityHandlers {
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
