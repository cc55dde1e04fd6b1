/** __ABOUT__ */

import { Problem } from '@concordat/runtime';
import type { __TYPES__ } from '__FROM__';

export const __NAME__: __SIGNATURE__ = () => {
  throw new Problem(501, '__WHAT__ is not implemented');
};
