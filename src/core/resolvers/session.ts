/** The session of a connection that stays open: its token is checked again for each operation and event. */

import type { GraphqlSession } from 'concordat/graphql';
import { ServiceError } from '../model/error.js';
import { callerOfAuthorization } from './callers.js';
import { type GraphqlContext, type GraphqlServices, makeContext } from './context.js';

/**
 * A connection with an invalid token is anonymous from the start. When a valid token later becomes invalid, because it expired
 * or its user was deactivated or deleted, the session fails. It does not continue as anonymous.
 *
 * @param authorization a token, with or without `Bearer ` before it
 * @param maxNodes as for `makeContext`
 * @param address as for `makeContext`
 */
export async function openGraphqlSession(
  services: GraphqlServices,
  authorization: string | undefined,
  maxNodes?: number,
  address?: string,
): Promise<GraphqlSession<GraphqlContext>> {
  const { caller: first, expiresAt } = await callerOfAuthorization(services, authorization);
  const context = makeContext(services, first, maxNodes, address);
  if (first.kind === 'anonymous')
    return { context, makeContext: () => makeContext(services, first, maxNodes, address) };
  return {
    context,
    expiresAt,
    makeContext: async () => {
      const { caller } = await callerOfAuthorization(services, authorization);
      if (caller.kind === 'anonymous') throw new ServiceError('unauthenticated', 'Invalid token');
      return makeContext(services, caller, maxNodes, address);
    },
  };
}
