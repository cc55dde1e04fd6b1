/** Finds the operation of a method and a path. */

import type { Exchange, RouteMatch } from './exchange.js';
import type { RestOperation } from '../operation/operation.js';
import type { PathMatch } from '../operation/path-matcher.js';
import { Problem } from '../../http/problem.js';

/** Finds the operations of a path; undefined when the contract does not have it. */
export type FindPath<Caller> = (path: string) => PathMatch<RestOperation<Caller>> | undefined;

/**
 * Routes a request that the transport has not routed. It answers `OPTIONS` where the contract does not have it.
 *
 * @throws a 404 `Problem` for an unknown path, a 405 with `Allow` for a method that the path does not have
 */
export function route<Caller>(exchange: Exchange<Caller>, find: FindPath<Caller>): undefined {
  if (exchange.match !== undefined) return;
  const { method, path } = exchange.request;
  const found = find(path);
  if (found === undefined) throw new Problem(404, 'Not found');
  const match = matchMethod(found, method);
  if (match !== undefined) {
    exchange.match = match;
    return;
  }
  const allow = { Allow: allowedMethods(found.targets.keys()) };
  if (method !== 'OPTIONS')
    throw new Problem(405, `Method not allowed: this path takes ${allow.Allow}`, allow);
  exchange.response = { status: 204, headers: allow };
}

/** The operation for a method; `HEAD` is served by `GET` (RFC 9110 §9.3.2). */
function matchMethod<Caller>(
  { targets, values }: PathMatch<RestOperation<Caller>>,
  method: string,
): RouteMatch<Caller> | undefined {
  const operation = targets.get(method) ?? (method === 'HEAD' ? targets.get('GET') : undefined);
  return operation && { operation, values };
}

/** The value of an `Allow` header (RFC 9110 §10.2.1). */
function allowedMethods(declared: Iterable<string>): string {
  const methods = new Set(declared);
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].join(', ');
}
