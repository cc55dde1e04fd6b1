/** What a connection that stays open may do: as much as its token is good for, each time that it is asked. */

import type { GraphqlSession } from 'concordat/graphql';
import { ServiceError } from '../model/error.js';
import { callerOfAuthorization } from './callers.js';
import { type GraphqlContext, type GraphqlServices, makeContext } from './context.js';

/**
 * A connection whose token is not valid is anonymous from the start. One whose token was valid is nobody's any more once it is
 * not, because it ran out or its user was deactivated or deleted: it does not go on as somebody else.
 *
 * @param authorization a token, with or without `Bearer ` before it
 * @param maxNodes as for `makeContext`
 */
export async function openGraphqlSession(
  services: GraphqlServices,
  authorization: string | undefined,
  maxNodes?: number,
): Promise<GraphqlSession<GraphqlContext>> {
  const { caller: first, expiresAt } = await callerOfAuthorization(services, authorization);
  const context = makeContext(services, first, maxNodes);
  if (first.kind === 'anonymous')
    return { context, makeContext: () => makeContext(services, first, maxNodes) };
  return {
    context,
    expiresAt,
    makeContext: async () => {
      const { caller } = await callerOfAuthorization(services, authorization);
      if (caller.kind === 'anonymous') throw new ServiceError('unauthenticated', 'Invalid token');
      return makeContext(services, caller, maxNodes);
    },
  };
}
