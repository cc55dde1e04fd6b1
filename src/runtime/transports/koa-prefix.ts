/** Splits a path into a router's prefix and the contract's path. */

import { Router } from '@koa/router';

/** A path without its prefix, and the parameters of the prefix. */
export interface SplitPath {
  readonly within: string;
  /** The raw text of the prefix's parameters. */
  readonly captures: readonly string[];
}

/** @returns a function from a path to its parts, undefined when it does not begin with the prefix */
export function compilePrefix(prefix: string): (path: string) => SplitPath | undefined {
  const pattern = /[:*{]/.test(prefix) ? patternOf(prefix) : undefined;
  if (pattern === undefined) {
    return (path) =>
      path.startsWith(prefix) ? { within: path.slice(prefix.length), captures: [] } : undefined;
  }
  return (path) => {
    const match = pattern.exec(path);
    return match === null ? undefined : { within: path.slice(match[0].length), captures: match.slice(1) };
  };
}

/** The router compiles a prefix with parameters itself. */
function patternOf(prefix: string): RegExp | undefined {
  const router = new Router({ sensitive: true, strict: true }).use(prefix, (_context, next) => next());
  return router.stack[0]?.regexp;
}
