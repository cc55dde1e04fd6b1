/** Makes a layer of `@koa/router` represent one operation and match paths with the contract's tree, below any prefix. */

import { type Layer, Router } from '@koa/router';
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
  const ownPath = routerPath(operation.path);
  const prefixes = new Map<string, (path: string) => SplitPath | undefined>();

  function split(path: string, layerPath: string): SplitPath | undefined {
    let splitPrefix = prefixes.get(layerPath);
    if (splitPrefix === undefined) {
      splitPrefix = compilePrefix(layerPath.slice(0, -ownPath.length));
      prefixes.set(layerPath, splitPrefix);
    }
    return splitPrefix(path);
  }

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
