/** What every transport says of a body that is longer than it may be. */

import { Problem } from '../../index.js';

export function tooLarge(limit: number): Problem {
  return new Problem(413, `The body must not be larger than ${String(limit)} bytes`);
}
