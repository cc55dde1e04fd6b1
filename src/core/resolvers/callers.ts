/** Finds the caller of a GraphQL request by its token or its API key, once or for as long as a connection stays open. */

import {
  type GraphqlClient as HostedClient,
  type GraphqlSession,
  authorizationOf,
  headerOf,
} from '@concordat/runtime/graphql';
import { ServiceError } from '../model/error.js';
import { type Caller, anonymous } from '../services/rights/caller.js';
import {
  type GraphqlCaller,
  type GraphqlContext,
  type GraphqlServices,
  makeContext,
} from './graphql-context.js';

/** Callers do not depend on the host. */
type GraphqlClient = Omit<HostedClient, 'host'>;

const ANONYMOUS: GraphqlCaller = { caller: anonymous };

/**
 * A client's credentials are the `Authorization` header or a WebSocket's `connectionParams.authorization` (a token, with or without
 * `Bearer ` before it), and then `X-API-Key`.
 *
 * @param isJoined whether the user may be read together with those of other clients
 * @returns the caller of the first valid one; anonymous without any
 */
export function callerOfClient(
  services: GraphqlServices,
  client: GraphqlClient,
  isJoined = false,
): GraphqlCaller | Promise<GraphqlCaller> {
  const token = authorizationOf(client)
    ?.replace(/^Bearer +/i, '')
    .trim();
  const key = headerOf(client, 'x-api-key');
  return token || key ? find(services, token, key, isJoined) : ANONYMOUS;
}

async function find(
  { authentication }: GraphqlServices,
  token: string | undefined,
  key: string | undefined,
  isJoined: boolean,
): Promise<GraphqlCaller> {
  const user = token ? await authentication.callerOfToken(token, isJoined) : undefined;
  if (user !== undefined) return user;
  const caller = key ? await authentication.callerOfApiKey(key, isJoined) : undefined;
  return caller === undefined ? ANONYMOUS : { caller };
}

/** An API key may only read. For writes, and if a user is required, it counts as no credential, as over REST. */
export function withoutKey(caller: Caller): Caller {
  return caller.kind === 'api-key' ? anonymous : caller;
}

/**
 * The session of a connection that stays open: its credential is checked again for each operation, and for each event unless
 * the caller's lease lasts. A connection with an
 * invalid credential is anonymous from the start. If a valid credential later becomes invalid, because it expired or because it or
 * its user was deactivated, the session fails. It does not continue as anonymous.
 *
 * @param client the source of the credentials, as for `callerOfClient`
 * @param maxNodes as for `makeContext`
 */
export async function openGraphqlSession(
  services: GraphqlServices,
  client: GraphqlClient,
  maxNodes?: number,
): Promise<GraphqlSession<GraphqlContext>> {
  const { caller: first, expiresAt } = await callerOfClient(services, client);
  const lastEventId = client.headers['last-event-id'];
  const last = typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined;
  const contextOf = (caller: Caller) => makeContext(services, caller, maxNodes, client.address, last);
  if (first.kind === 'anonymous') return { context: contextOf(first), makeContext: () => contextOf(first) };
  let latest: GraphqlCaller | undefined;
  const makeNext = async (): Promise<GraphqlContext> => {
    latest = await callerOfClient(services, client, true);
    if (latest.caller.kind === first.kind) return contextOf(latest.caller);
    const fault = first.kind === 'user' ? 'Invalid token' : 'Invalid API key';
    throw new ServiceError('unauthenticated', fault);
  };
  return {
    context: contextOf(first),
    expiresAt,
    makeContext: makeNext,
    makeEventContext: () =>
      latest?.lease !== undefined && latest.lease.until > performance.now()
        ? contextOf(latest.caller)
        : makeNext(),
  };
}
