/** Decides which requests of a server go to a handler, with which path, and to which of the methods of a path. */

import type { HttpHandler } from './message.js';

/** The options of every transport. */
export interface TransportOptions {
  /** The path at which the handler is mounted, such as `/v1`. The handler sees paths without it. */
  readonly prefix?: string;
  /**
   * For a path that the handler does not have: `next` passes the request on to the server's next handler, `answer` lets this
   * handler answer 404. This handler always answers a known path with another method.
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
  handler: Pick<HttpHandler, 'findPath'>,
  { prefix = '', unknownPaths }: TransportOptions,
): (path: string) => string | undefined {
  const within = (path: string): string | undefined => {
    if (prefix === '') return path;
    if (!path.startsWith(prefix)) return undefined;
    const rest = path.slice(prefix.length);
    return rest === '' || rest.startsWith('/') ? rest : undefined;
  };
  const { findPath } = handler;
  // Such a handler answers every path, so paths outside its prefix are never passed to it.
  if (findPath === undefined) return within;
  if (unknownPaths === 'answer') return (path) => within(path) ?? NOWHERE;
  return (path) => {
    const own = within(path);
    return own === undefined || findPath(own) === undefined ? undefined : own;
  };
}

/** The target for a method; `GET` also serves `HEAD` (RFC 9110 §9.3.2). */
export function targetOf<Target>(targets: ReadonlyMap<string, Target>, method: string): Target | undefined {
  return targets.get(method) ?? (method === 'HEAD' ? targets.get('GET') : undefined);
}
