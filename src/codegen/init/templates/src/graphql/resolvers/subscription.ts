/** The resolver of `__TYPE__.__FIELD__`. */

import { Problem } from '@concordat/runtime';
import type { SchemaResolvers } from '../context.js';

export const __NAME__: SchemaResolvers['__TYPE__']['__FIELD__'] = {
  subscribe() {
    throw new Problem(501, '__TYPE__.__FIELD__ is not implemented');
  },
};
