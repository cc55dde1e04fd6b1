/** The handler of every security scheme. `concordat init` adds those of new schemes. */

import type { SecurityHandler } from '@concordat/runtime';
import type { contract } from '__GENERATED__/routing.js';
import type { Caller } from './handlers.js';

type Schemes = typeof contract.securitySchemes;

export const security: { readonly [Scheme in keyof Schemes]: SecurityHandler<Caller> } = {};
