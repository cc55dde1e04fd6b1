/** The session of a caller, the same for HTTP, server-sent events and WebSocket. */

import type { RequestHeaders } from '../../http/message.js';

/** What is known of a client when it connects or sends a request, over any transport. */
export interface GraphqlClient {
  /** Of the request; of a WebSocket, those of its upgrade. */
  readonly headers: RequestHeaders;
  /** What a WebSocket's `connection_init` carries. */
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
  readonly address?: string | undefined;
}

/** A client's context, for the length of its request or connection. */
export interface GraphqlSession<Context> {
  /** The context for the resolvers of the first operation. */
  readonly context: Context;
  /**
   * Makes the context of every later operation, and of each event of a subscription, for the caller's state at that time.
   * Without it they share the first context: it is needed where a context caches what it reads.
   *
   * @throws an error that the engine explains as `UNAUTHENTICATED` when the credential is no longer valid
   */
  readonly makeContext?: (() => Context | Promise<Context>) | undefined;
  /** When the credential expires; undefined when it does not expire, or when there is none. */
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
export function authorizationOf(client: GraphqlClient): string | undefined {
  return headerOf(client, 'authorization');
}

/**
 * A header of a client, which a WebSocket may have in its `connectionParams` instead, in upper or lower case.
 *
 * @param name - in lower case
 */
export function headerOf(
  { headers, connectionParams = {} }: GraphqlClient,
  name: string,
): string | undefined {
  const found = Object.entries(connectionParams).find(
    ([key, value]) => typeof value === 'string' && key.toLowerCase() === name,
  );
  const value = found === undefined ? headers[name] : found[1];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Calls `end` once a credential has expired.
 *
 * @returns the timer, for `clearTimeout`
 */
export function onExpiry(expiresAt: Date, end: () => void): NodeJS.Timeout {
  // A timer may be early by a part of a millisecond. setTimeout's maximum is longer than any token lives.
  return setTimeout(end, Math.min(expiresAt.getTime() - Date.now() + 1, 2 ** 31 - 1));
}
