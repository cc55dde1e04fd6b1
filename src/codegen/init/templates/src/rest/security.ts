/** The handler of every security scheme. `concordat init` adds those of new schemes. */

import type { SecurityHandler } from '@concordat/runtime';
import type { SecuritySchemeName } from '__GENERATED__/operations.js';
import type { Caller } from './handlers.js';

export const security: Readonly<Record<SecuritySchemeName, SecurityHandler<Caller>>> = {};
