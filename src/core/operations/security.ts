/** How callers show who they are. Nothing issues tokens or keys yet, so none is valid. */

import type { SecuritySchemeName } from '../../../generated/operations.js';
import type { SecurityHandler } from '../../engine/index.js';
import type { Caller } from '../services/caller.js';

/** The texts are the document's (interface §7). */
export const securityHandlers: Readonly<Record<SecuritySchemeName, SecurityHandler<Caller>>> = {
  bearerAuth: { missing: 'No token provided', authenticate: () => ({ refused: 'Invalid token' }) },
  apiKeyAuth: { missing: 'API key required', authenticate: () => ({ refused: 'Invalid API key' }) },
};
