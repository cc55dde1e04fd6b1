/** The steps before a request is decoded: they find its operation, choose the representation and identify the caller. */

import type { Exchange, RouteMatch } from './exchange.js';
import type { HttpRequest, HttpResponse } from '../../http/message.js';
import type { RestOperation } from '../operation/operation.js';
import type { PathMatch } from '../operation/path-matcher.js';
import { targetOf } from '../../http/path-choice.js';
import { Problem } from '../../http/problem.js';
import { authenticateCaller, hasCredential, missingCredential } from '../operation/security.js';

/** Finds the operations of a path; undefined when the contract does not have the path. */
export type FindPath<Caller> = (path: string) => PathMatch<RestOperation<Caller>> | undefined;

/**
 * Routes a request that the transport has not routed.
 *
 * @returns the operation, or the response to an `OPTIONS` request that the contract does not have
 * @throws a 404 `Problem` for an unknown path, a 405 with `Allow` for a method that the path does not have
 */
export function route<Caller>(
  { method, path }: HttpRequest,
  find: FindPath<Caller>,
): RouteMatch<Caller> | HttpResponse {
  const found = find(path);
  // A path without targets has only operations of the next handler.
  if (found === undefined || found.targets.size === 0) throw new Problem(404, 'Not found');
  const operation = targetOf(found.targets, method);
  if (operation !== undefined) return { operation, values: found.values };
  const allow = { Allow: allowedMethods(found.targets.keys()) };
  if (method === 'OPTIONS') return { status: 204, headers: allow };
  throw new Problem(405, `Method not allowed: this path takes ${allow.Allow}`, allow);
}

/** The value of an `Allow` header (RFC 9110 §10.2.1). */
function allowedMethods(declared: Iterable<string>): string {
  const methods = new Set(declared);
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].join(', ');
}

/**
 * Chooses the representation that the client prefers (RFC 9110 §12.5.1).
 *
 * @throws a 406 `Problem` when the client accepts none of the operation's media types
 */
export function negotiate<Caller>(exchange: Exchange<Caller>): undefined {
  const { operation, request } = exchange;
  const { accept } = request.headers;
  exchange.mediaType = operation.negotiate?.(typeof accept === 'string' ? accept : accept?.join(','));
  if (exchange.mediaType === undefined) {
    const message = `Not acceptable: this resource comes as ${operation.responses.produces.join(', ')}`;
    throw new Problem(406, message);
  }
}

/**
 * Identifies the caller.
 *
 * @throws a 401 or 403 `Problem` when the operation's security is not satisfied
 */
export function authenticate<Caller>(exchange: Exchange<Caller>): Promise<void> | undefined {
  const { request, operation } = exchange;
  const { security, id } = operation;
  if (security === undefined) return undefined;
  if (!hasCredential(security, request)) {
    if (security.isOptional) return undefined;
    throw missingCredential(security, request);
  }
  const caller = authenticateCaller(
    security,
    { operationId: id, request, host: request.host },
    exchange.caller,
  );
  if (caller instanceof Promise) {
    return caller.then((settled) => {
      exchange.caller = settled;
    });
  }
  exchange.caller = caller;
  return undefined;
}
