/** The explicit answer of operations whose implementation has not landed. */

import { ServiceError } from '../model/error.js';

/** @throws ServiceError `not-implemented`, always */
export function notImplemented(): never {
  throw new ServiceError('not-implemented', 'Not implemented yet');
}
