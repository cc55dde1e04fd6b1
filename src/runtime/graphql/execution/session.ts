/** The session of a caller, the same for HTTP, server-sent events and WebSocket. */

import type { RequestHeaders } from '../../http/message.js';

/** The data of a client that connects or sends a request, over any transport. */
export interface GraphqlClient<Host = unknown> {
  /** The headers of the request; for a WebSocket, those of its upgrade. */
  readonly headers: RequestHeaders;
  /** The payload of a WebSocket's `connection_init`. */
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
  readonly address?: string | undefined;
  /** The request context of the transport; for a WebSocket, the request of its upgrade. */
  readonly host: Host;
}

/** The parts of a client that may have credentials. */
type Credentials = Pick<GraphqlClient, 'headers' | 'connectionParams'>;

/** A client's context, for the duration of its request or connection. */
export interface GraphqlSession<Context> {
  /** The context for the resolvers of the first operation. */
  readonly context: Context;
  /**
   * Makes the context of each later operation, and of each event of a subscription, from the caller's state at that time.
   * Without it they share the first context. It is needed when a context caches the data that it reads.
   *
   * @throws an error that the engine explains as `UNAUTHENTICATED` when the credential is no longer valid
   */
  readonly makeContext?: (() => Context | Promise<Context>) | undefined;
  /** The same for each event of a subscription, if it may use what is known of the caller; `makeContext` unless given. */
  readonly makeEventContext?: (() => Context | Promise<Context>) | undefined;
  /** The time when the credential expires; undefined when it does not expire, or when there is none. */
  readonly expiresAt?: Date | undefined;
}

/** Called once per HTTP request, and once per WebSocket connection. */
export type OpenGraphqlSession<Context, Host = unknown> = (
  client: GraphqlClient<Host>,
) => GraphqlSession<Context> | Promise<GraphqlSession<Context>>;

/**
 * Makes the contexts of a subscription: that of its source stream, then one for each event.
 *
 * @param first - makes the context of the source stream
 */
export function subscriptionContexts<Context>(
  session: GraphqlSession<Context>,
  first: () => Context | Promise<Context>,
): () => Context | Promise<Context> {
  let make = first;
  return () => {
    const made = make();
    make = session.makeEventContext ?? (() => nextContext(session));
    return made;
  };
}

/** The context of a later operation. */
export function nextContext<Context>(session: GraphqlSession<Context>): Context | Promise<Context> {
  return session.makeContext === undefined ? session.context : session.makeContext();
}

/**
 * The credential of a client, in the form of an `Authorization` header. It comes from `connectionParams.authorization`, because
 * browsers cannot set the headers of a WebSocket, or else from the header.
 */
export function authorizationOf(client: Credentials): string | undefined {
  return headerOf(client, 'authorization');
}

/**
 * A header of a client. A WebSocket client may send it in its `connectionParams` instead, in upper or lower case.
 *
 * @param name - in lower case
 */
export function headerOf({ headers, connectionParams = {} }: Credentials, name: string): string | undefined {
  const found = Object.entries(connectionParams).find(
    ([key, value]) => typeof value === 'string' && key.toLowerCase() === name,
  );
  const value = found === undefined ? headers[name] : found[1];
  return typeof value === 'string' ? value : undefined;
}

/** Calls `end` once a credential has expired. @returns the timer, for `clearTimeout` */
export function onExpiry(expiresAt: Date, end: () => void): NodeJS.Timeout {
  // A timer may fire up to a millisecond early. setTimeout's maximum is longer than any token lives.
  return setTimeout(end, Math.min(expiresAt.getTime() - Date.now() + 1, 2 ** 31 - 1));
}
