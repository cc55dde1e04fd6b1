/** Decides which requests of a server belong to a handler, and which path the handler sees. */

import type { HttpHandler } from './message.js';

/** The options of every transport. */
export interface TransportOptions {
  /** Where the handler is mounted, such as `/v1`: it sees paths without it. */
  readonly prefix?: string;
  /**
   * For a path that the handler does not have: `next` passes the request on to the server's next handler, `answer` leaves it
   * to this handler, which answers 404. A known path with another method is always answered by this handler.
   */
  readonly unknownPaths?: 'next' | 'answer';
}

/** A path that no handler has. */
const NOWHERE = '';

/**
 * Makes the function that maps a server's path to the handler's.
 *
 * @returns a function from a path to the path within the handler; undefined for a request that is passed on
 */
export function compilePathChoice(
  handler: HttpHandler,
  { prefix = '', unknownPaths }: TransportOptions,
): (path: string) => string | undefined {
  const within = (path: string): string | undefined => {
    if (prefix === '') return path;
    if (!path.startsWith(prefix)) return undefined;
    const rest = path.slice(prefix.length);
    return rest === '' || rest.startsWith('/') ? rest : undefined;
  };
  const { findPath } = handler;
  // Such a handler answers every path, so paths outside of its prefix are never passed to it.
  if (findPath === undefined) return within;
  if (unknownPaths === 'answer') return (path) => within(path) ?? NOWHERE;
  return (path) => {
    const own = within(path);
    return own === undefined || findPath(own) === undefined ? undefined : own;
  };
}
