/** Finds the caller of a GraphQL request by its token. */

import { anonymous, type Caller } from '../services/caller.js';
import type { GraphqlServices } from './context.js';

export interface GraphqlCaller {
  readonly caller: Caller;
  /** When the token expires; undefined without one. A connection that stays open ends its operations then. */
  readonly expiresAt?: Date;
}

const ANONYMOUS: GraphqlCaller = { caller: anonymous };

/**
 * @param authorization the `Authorization` header or a WebSocket's `connectionParams.authorization`: a token, with or without
 *   `Bearer ` before it
 * @returns the caller; anonymous without a token, and with an invalid one
 */
export function callerOfAuthorization(
  { authentication }: GraphqlServices,
  authorization: string | undefined,
): GraphqlCaller | Promise<GraphqlCaller> {
  const token = authorization?.replace(/^Bearer +/i, '').trim();
  if (!token) return ANONYMOUS;
  return authentication.callerOfToken(token).then((found) => found ?? ANONYMOUS);
}
