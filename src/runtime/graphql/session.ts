/** Who calls: said once for HTTP, server-sent events and WebSocket. */

import type { RequestHeaders } from '../http/message.js';

/** What is known of a client when it asks, by whatever it came. */
export interface GraphqlClient {
  /** Of the request; of a WebSocket, those of its upgrade. */
  readonly headers: RequestHeaders;
  /** What a WebSocket's `connection_init` carries. */
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
  readonly address?: string | undefined;
}

/** What a client may do, for as long as it stays. */
export interface GraphqlSession<Context> {
  /** What the resolvers of the operation at hand get as their context. */
  readonly context: Context;
  /**
   * Makes the context of every later operation, and of each event of a subscription, for who the caller is by then. Without
   * it they share the first context: give it where a context remembers what it has read.
   *
   * @throws what the engine explains as `UNAUTHENTICATED` when the credential is not valid any more
   */
  readonly makeContext?: (() => Context | Promise<Context>) | undefined;
  /** When the credential runs out; undefined for one that does not, and without one. */
  readonly expiresAt?: Date | undefined;
}

/** Called once per HTTP request, and once per WebSocket connection. */
export type OpenGraphqlSession<Context> = (
  client: GraphqlClient,
) => GraphqlSession<Context> | Promise<GraphqlSession<Context>>;

/** The context of a later operation or event. */
export function nextContext<Context>(session: GraphqlSession<Context>): Context | Promise<Context> {
  return session.makeContext === undefined ? session.context : session.makeContext();
}

/**
 * The credential of a client, as an `Authorization` header has it: `connectionParams.authorization`, because browsers cannot
 * set headers of a WebSocket, or else the header.
 */
export function authorizationOf({ headers, connectionParams }: GraphqlClient): string | undefined {
  const given = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'];
  if (typeof given === 'string') return given;
  const { authorization } = headers;
  return typeof authorization === 'string' ? authorization : undefined;
}

/**
 * Calls once a credential has run out.
 *
 * @returns the timer, for `clearTimeout`
 */
export function onExpiry(expiresAt: Date, end: () => void): NodeJS.Timeout {
  // A timer may be early by a part of a millisecond. setTimeout's maximum is longer than any token lives.
  return setTimeout(end, Math.min(expiresAt.getTime() - Date.now() + 1, 2 ** 31 - 1));
}
