/** Takes a path apart where a router's prefix ends and the contract begins. */

import { Router } from '@koa/router';

/** A path in two: what a prefix took of it, and what is left for the contract. */
export interface SplitPath {
  readonly within: string;
  /** The raw text of the prefix's parameters. */
  readonly captures: readonly string[];
}

/** @returns from a path to its parts, undefined when it does not begin with the prefix */
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

/** The router itself says how it reads a prefix that has parameters. */
function patternOf(prefix: string): RegExp | undefined {
  const router = new Router({ sensitive: true, strict: true }).use(prefix, (_context, next) => next());
  return router.stack[0]?.regexp;
}
