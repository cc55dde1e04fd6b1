/** The resolver of `__TYPE__`. */

import { Problem } from '@concordat/runtime';
import type { SchemaResolvers } from '../context.js';

export const __NAME__: SchemaResolvers['__TYPE__'] = () => {
  throw new Problem(501, '__TYPE__ is not implemented');
};
