/** Who stands behind a connection that stays open: for transports that serve more than one answer. */

export interface GraphqlSession<Context> {
  /**
   * Makes the context of one operation or one event, for who the caller is by then.
   *
   * @throws what the engine explains as `UNAUTHENTICATED` when the credential is not valid any more
   */
  makeContext(): Context | Promise<Context>;
  /** When the credential runs out; undefined for one that does not, and without one. */
  readonly expiresAt?: Date | undefined;
}

/** @param authorization - as an `Authorization` header has it; undefined where the client gave none */
export type OpenGraphqlSession<Context> = (
  authorization: string | undefined,
) => GraphqlSession<Context> | Promise<GraphqlSession<Context>>;

/**
 * Calls once a credential has run out.
 *
 * @returns the timer, for `clearTimeout`
 */
export function onExpiry(expiresAt: Date, end: () => void): NodeJS.Timeout {
  // A timer may be early by a part of a millisecond. Longer than it can wait, nobody's token lasts.
  return setTimeout(end, Math.min(expiresAt.getTime() - Date.now() + 1, 2 ** 31 - 1));
}
