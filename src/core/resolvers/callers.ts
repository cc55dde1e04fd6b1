/** Finds the caller of a GraphQL request by its token. */

import { anonymous } from '../services/caller.js';
import type { GraphqlCaller, GraphqlServices } from './context.js';

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
