/** A layer of `@koa/router` that stands for one operation and asks the contract's tree whether a path leads to it. */

import { Layer, type RouterMiddleware } from '@koa/router';
import type { PathMatch, RestOperation } from '../../engine/index.js';

/** Remembers the last path, because a router asks about one path several times. */
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
 * A layer needs nothing of the router that it is in: `@koa/router` copies layers when one router is mounted in another,
 * and the copies, with their prefix, must find the same operations.
 */
export class OperationLayer<Caller> extends Layer {
  /** The path without prefixes, as `@koa/router` writes it. */
  readonly ownPath: string;
  /** What stands before it: text, or a pattern where a prefix has parameters. */
  prefix: string | RegExp = '';

  constructor(
    readonly operation: RestOperation<Caller>,
    readonly finder: PathFinder<Caller>,
    serve: RouterMiddleware,
  ) {
    const path = routerPath(operation.path);
    super(path, [operation.method], serve, { name: operation.id, sensitive: true, strict: true });
    this.ownPath = path;
  }

  override setPrefix(prefixPath: string): this {
    super.setPrefix(prefixPath);
    const prefix = String(this.path).slice(0, -this.ownPath.length);
    const hasParameters = /[:*{]/.test(prefix);
    this.prefix = hasParameters ? new Layer(prefix, [], [], { end: false }).regexp : prefix;
    return this;
  }

  override match(path: string): boolean {
    const found = this.finder.find(this.#split(path)?.within ?? '');
    return found?.targets.get(this.operation.method) === this.operation;
  }

  /** The raw text of every path parameter, those of the prefix first. */
  override captures(path: string): string[] {
    const parts = this.#split(path);
    if (parts === undefined) return [];
    return [...parts.captures, ...(this.finder.find(parts.within)?.values ?? [])];
  }

  /** The path within the contract; undefined when the path is not below the prefix. */
  pathWithin(path: string): string | undefined {
    return this.#split(path)?.within;
  }

  #split(path: string): { readonly within: string; readonly captures: readonly string[] } | undefined {
    if (typeof this.prefix === 'string') {
      return path.startsWith(this.prefix)
        ? { within: path.slice(this.prefix.length), captures: [] }
        : undefined;
    }
    const match = this.prefix.exec(path);
    return match === null ? undefined : { within: path.slice(match[0].length), captures: match.slice(1) };
  }
}

/** `/users/{id}` as `@koa/router` writes it: `/users/:id`; names that are no identifiers are quoted. */
export function routerPath(template: string): string {
  return template
    .split(/(\{[^}]+\})/)
    .map((part) =>
      part.startsWith('{') ? parameterOf(part.slice(1, -1)) : part.replaceAll(/[{}()[\]+?!*:\\]/g, '\\$&'),
    )
    .join('');
}

function parameterOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `:${name}` : `:${JSON.stringify(name)}`;
}
