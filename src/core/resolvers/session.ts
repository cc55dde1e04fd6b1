/** The session of a connection that stays open: its credential is checked again for each operation and event. */

import type { GraphqlClient, GraphqlSession } from 'concordat/graphql';
import { ServiceError } from '../model/error.js';
import { callerOfClient } from './callers.js';
import { type GraphqlContext, type GraphqlServices, makeContext } from './context.js';

/**
 * A connection with an invalid credential is anonymous from the start. When a valid one later becomes invalid, because it
 * expired or was deactivated or its user was, the session fails. It does not continue as anonymous.
 *
 * @param client the credentials are read from it, as `callerOfClient` says
 * @param maxNodes as for `makeContext`
 */
export async function openGraphqlSession(
  services: GraphqlServices,
  client: GraphqlClient,
  maxNodes?: number,
): Promise<GraphqlSession<GraphqlContext>> {
  const { caller: first, expiresAt } = await callerOfClient(services, client);
  const context = makeContext(services, first, maxNodes, client.address);
  if (first.kind === 'anonymous')
    return { context, makeContext: () => makeContext(services, first, maxNodes, client.address) };
  return {
    context,
    expiresAt,
    makeContext: async () => {
      const { caller } = await callerOfClient(services, client);
      if (caller.kind !== first.kind) {
        throw new ServiceError(
          'unauthenticated',
          first.kind === 'user' ? 'Invalid token' : 'Invalid API key',
        );
      }
      return makeContext(services, caller, maxNodes, client.address);
    },
  };
}
