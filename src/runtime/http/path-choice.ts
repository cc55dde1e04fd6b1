/** Decides which requests of a server are a handler's, and what is left of their paths. */

import type { HttpHandler } from './message.js';

/** What every transport lets choose. */
export interface TransportOptions {
  /** Where the handler is mounted, such as `/v1`: it sees paths without it. */
  readonly prefix?: string;
  /**
   * What a path means that the handler does not have: `next` hands the request on to what the server has behind it, `answer`
   * leaves it to the handler, whose answer is 404. A known path with another method is the handler's in either case.
   */
  readonly unknownPaths?: 'next' | 'answer';
}

/** A path that no handler has. */
const NOWHERE = '';

/**
 * Makes the function that says what path a handler is given.
 *
 * @returns from a path to the one within the handler; undefined for a request that is to be handed on
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
  // It would answer whatever it is given, also for what is outside of its prefix.
  if (findPath === undefined) return within;
  if (unknownPaths === 'answer') return (path) => within(path) ?? NOWHERE;
  return (path) => {
    const own = within(path);
    return own === undefined || findPath(own) === undefined ? undefined : own;
  };
}
