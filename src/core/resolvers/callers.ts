/** Finds the caller of a GraphQL request by its token or its API key. */

import { type GraphqlClient, authorizationOf, headerOf } from 'concordat/graphql';
import { type Caller, anonymous } from '../services/caller.js';
import type { GraphqlCaller, GraphqlServices } from './context.js';

const ANONYMOUS: GraphqlCaller = { caller: anonymous };

/**
 * The credentials of a client are the `Authorization` header or a WebSocket's `connectionParams.authorization`, a token with
 * or without `Bearer ` before it, and then `X-API-Key`.
 *
 * @returns the caller of the first valid one; anonymous without any
 */
export function callerOfClient(
  services: GraphqlServices,
  client: GraphqlClient,
): GraphqlCaller | Promise<GraphqlCaller> {
  const token = authorizationOf(client)
    ?.replace(/^Bearer +/i, '')
    .trim();
  const key = headerOf(client, 'x-api-key');
  return token || key ? find(services, token, key) : ANONYMOUS;
}

async function find(
  { authentication }: GraphqlServices,
  token: string | undefined,
  key: string | undefined,
): Promise<GraphqlCaller> {
  const user = token ? await authentication.callerOfToken(token) : undefined;
  if (user !== undefined) return user;
  const caller = key ? await authentication.callerOfApiKey(key) : undefined;
  return caller === undefined ? ANONYMOUS : { caller };
}

/** An API key reads. Where a user is needed, and to write, it counts as no credential, as over REST. */
export function withoutKey(caller: Caller): Caller {
  return caller.kind === 'api-key' ? anonymous : caller;
}
