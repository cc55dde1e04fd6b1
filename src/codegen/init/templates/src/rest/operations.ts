/** The handler of every operation. `concordat init` adds those of new operations. */

import type { Handlers } from './handlers.js';

export const operations: Handlers = {};
