/** Chooses the representation that the client prefers (RFC 9110 §12.5.1). */

import type { Exchange } from './exchange.js';
import { Problem } from '../../http/problem.js';

/** @throws a 406 `Problem` when the client accepts none of the operation's media types */
export function negotiate<Caller>(exchange: Exchange<Caller>): undefined {
  const { operation, request } = exchange;
  if (operation.negotiate === undefined) return;
  const { accept } = request.headers;
  exchange.mediaType = operation.negotiate(typeof accept === 'string' ? accept : accept?.join(','));
  if (exchange.mediaType === undefined) {
    const message = `Not acceptable: this resource comes as ${operation.responses.produces.join(', ')}`;
    throw new Problem(406, message);
  }
}
