/** __ABOUT__ */

import { Problem } from '@concordat/runtime';
import type { Handlers } from '../handlers.js';

export const __NAME__: Handlers['__ID__'] = () => {
  throw new Problem(501, '__ID__ is not implemented');
};
