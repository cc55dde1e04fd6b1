/** Identifies the caller by the security scheme `__ID__`. */

import { Problem, type SecurityHandler } from '@concordat/runtime';
import type { Caller } from '../handlers.js';

export const __NAME__: SecurityHandler<Caller> = {
  missing: 'This operation needs a credential',
  authenticate() {
    throw new Problem(501, '__ID__ is not implemented');
  },
};
