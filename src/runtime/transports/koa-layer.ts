/** Makes a layer of `@koa/router` represent one operation and match paths with the contract's tree, below any prefix. */

import { type Layer, Router } from '@koa/router';
import { belowSpelling } from '../http/other-spellings.js';
import type { PathMatch, RestOperation } from '../index.js';

/** Caches the last path, because a router looks up one path several times. */
export class PathFinder<Caller> {
  #path: string | undefined = undefined;
  #found: PathMatch<RestOperation<Caller>> | undefined = undefined;

  constructor(private readonly findPath: (path: string) => PathMatch<RestOperation<Caller>> | undefined) {}

  find(path: string): PathMatch<RestOperation<Caller>> | undefined {
    if (path !== this.#path) {
      this.#path = path;
      this.#found = this.findPath(path);
    }
    return this.#found;
  }
}

/**
 * Replaces the matching of a layer. The methods read the path from `this`, because `@koa/router` copies layers when one router is
 * mounted in another, and the copies, which have a prefix, must find the same operations.
 */
export function matchByContract<Caller>(
  layer: Layer,
  operation: RestOperation<Caller>,
  finder: PathFinder<Caller>,
): void {
  const split = compileSplit(routerPath(operation.path));

  layer.match = function (this: Layer, path) {
    const parts = split(path, String(this.path));
    return parts !== undefined && finder.find(parts.within)?.targets.get(operation.method) === operation;
  };

  /** The raw text of every path parameter; the parameters of a prefix come first. */
  layer.captures = function (this: Layer, path) {
    const parts = split(path, String(this.path));
    if (parts === undefined) return [];
    return [...parts.captures, ...(finder.find(parts.within)?.values ?? [])];
  };
}

/**
 * Makes a layer of the path `/` match all paths below it that a router claims.
 *
 * Its last two captures are the path without the prefix, and the same for the engine: empty if it is the prefix that is spelled otherwise.
 */
export function matchClaims(layer: Layer, isClaimed: (path: string) => boolean): void {
  const split = compileSplit('/');

  function capturesOf(path: string, layerPath: string): readonly string[] {
    const parts = split(path, layerPath);
    if (parts !== undefined) return [...parts.captures, parts.within, parts.within];
    const below = belowSpelling(layerPath, path);
    // Only a router that claims other spellings claims one with a slash too many.
    return below === undefined ? [] : [`${below}/`, ''];
  }

  layer.match = function (this: Layer, path) {
    const within = capturesOf(path, String(this.path)).at(-2);
    return within !== undefined && isClaimed(within);
  };

  layer.captures = function (this: Layer, path) {
    return [...capturesOf(path, String(this.path))];
  };
}

/** @returns a function from a path and the path of a layer, whose end is `ownPath`, to the parts of the path */
function compileSplit(ownPath: string): (path: string, layerPath: string) => SplitPath | undefined {
  const prefixes = new Map<string, (path: string) => SplitPath | undefined>();
  return (path, layerPath) => {
    let splitPrefix = prefixes.get(layerPath);
    if (splitPrefix === undefined) {
      splitPrefix = compilePrefix(layerPath.slice(0, -ownPath.length));
      prefixes.set(layerPath, splitPrefix);
    }
    return splitPrefix(path);
  };
}

/** Writes `/users/{id}` as `/users/:id`, for `@koa/router`; names that are not identifiers are quoted. */
export function routerPath(template: string): string {
  return template
    .split(/(\{[^}]+\})/)
    .map((part) =>
      part.startsWith('{')
        ? `:${/^\{[A-Za-z_$][\w$]*\}$/.test(part) ? part.slice(1, -1) : JSON.stringify(part.slice(1, -1))}`
        : part.replaceAll(/[{}()[\]+?!*:\\]/g, String.raw`\$&`),
    )
    .join('');
}

/** A path without its prefix, and the parameters of the prefix. */
interface SplitPath {
  readonly within: string;
  /** The raw text of the prefix's parameters. */
  readonly captures: readonly string[];
}

/** @returns a function from a path to its parts, undefined when it does not begin with the prefix */
export function compilePrefix(prefix: string): (path: string) => SplitPath | undefined {
  // The router compiles the pattern of a prefix with parameters.
  const pattern = /[:*{]/.test(prefix)
    ? new Router({ sensitive: true, strict: true }).use(prefix, (_context, next) => next()).stack[0]?.regexp
    : undefined;
  if (pattern === undefined) {
    return (path) =>
      path.startsWith(prefix) ? { within: path.slice(prefix.length), captures: [] } : undefined;
  }
  return (path) => {
    const match = pattern.exec(path);
    return match === null ? undefined : { within: path.slice(match[0].length), captures: match.slice(1) };
  };
}
