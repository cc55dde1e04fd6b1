/** The state of one call, which the steps read and set, and its first steps: they find the operation, choose the representation and identify the caller. */

import { type HttpRequest, type HttpResponse, Printable, headerText } from '../../http/message.js';
import { type ProblemFailure, Problem } from '../../http/problem.js';
import type { CallContext, DecodedRequest } from '../operation/handler.js';
import type { RestOperation } from '../operation/operation.js';
import type { WholeBody } from '../operation/request-body.js';
import type { PathMatch } from '../operation/path-matcher.js';
import { targetOf } from '../../http/path-choice.js';
import { identifyCaller, missingCredential } from '../operation/security.js';

/** The operation of a method and a path, with the texts of its path parameters. */
export interface RouteMatch<Caller> {
  readonly operation: RestOperation<Caller>;
  readonly values: readonly string[];
}

/**
 * A step reads the properties that earlier steps set, and sets its own. The types of the engine's options ensure that the
 * request has the host that the handlers need.
 */
export class Exchange<Caller> extends Printable implements CallContext<Caller, never> {
  /** The number of steps that have run. */
  stepsDone = 0;
  /** Set by `negotiate`, if the operation's successes have media types. */
  mediaType: string | undefined = undefined;
  /** Set by `decode`, together with `bodyCodec`, which the check of the body needs. */
  decoded: DecodedRequest = NOT_DECODED;
  /** The failures of `decode`, for which `validate` refuses the request. */
  failures: readonly ProblemFailure[] = NONE;
  /** Set by `keepExact`: the decoded request with bigints for integers beyond 2^53. */
  exact: DecodedRequest | undefined = undefined;
  bodyCodec: Pick<WholeBody, 'check' | 'convert'> | undefined = undefined;
  /** Set before the hooks, if `after` hooks read it. */
  isAccepted = false;
  /** Set by a hook or by `handle`: an `Answer`, unless the types were bypassed. */
  answer: unknown = undefined;
  /** Set by `handle`. */
  isMock = false;
  /** Set by `encode`. */
  response: HttpResponse | undefined = undefined;
  /** The error that ended the call. */
  error: unknown = undefined;

  constructor(
    readonly request: HttpRequest<never>,
    readonly operation: RestOperation<Caller>,
    /** The texts of the path parameters. */
    readonly values: readonly string[],
    /** Set by `authenticate`. */
    public caller: Caller,
  ) {
    super();
  }

  get operationId(): string {
    return this.operation.id;
  }

  get host(): never {
    return this.request.host;
  }

  /** Leaves out the caller and the request's data, which may have credentials. */
  override toJSON(): object {
    return { operationId: this.operationId, request: this.request };
  }
}

const NONE: readonly ProblemFailure[] = [];
const NOT_DECODED: DecodedRequest = { path: {}, query: {}, headers: {}, cookies: {} };

/** Finds the operations of a path; undefined when the contract does not have the path. */
type FindPath<Caller> = (path: string) => PathMatch<RestOperation<Caller>> | undefined;

/**
 * Routes a request that the transport has not routed.
 *
 * @param spell - finds the contract's spelling of an unknown path, if the client is redirected to it
 * @returns the operation, or the response to an `OPTIONS` request that the contract does not have, or a redirection
 * @throws a 404 `Problem` for an unknown path, a 405 with `Allow` for a method that the path does not have
 */
export function route<Caller>(
  { method, path, query }: HttpRequest,
  find: FindPath<Caller>,
  spell?: (path: string) => string | undefined,
): RouteMatch<Caller> | HttpResponse {
  const found = find(path);
  const spelled = found === undefined ? spell?.(path) : undefined;
  if (spelled !== undefined && find(spelled) !== undefined)
    return { status: 308, headers: { Location: relativeAddress(path, spelled, query) } };
  // A path without targets has only operations of the next handler.
  if (found === undefined || found.targets.size === 0) throw new Problem(404, 'Not found');
  const operation = targetOf(found.targets, method);
  if (operation !== undefined) return { operation, values: found.values };
  const methods = new Set(found.targets.keys());
  if (methods.has('GET')) methods.add('HEAD');
  // RFC 9110 §10.2.1
  const allow = { Allow: [...methods.add('OPTIONS')].join(', ') };
  if (method === 'OPTIONS') return { status: 204, headers: allow };
  throw new Problem(405, `Method not allowed: this path takes ${allow.Allow}`, allow);
}

/** The address of a path from another one, so that it holds below each prefix, and never names another server (RFC 3986 §5.2). */
function relativeAddress(from: string, to: string, query: string): string {
  const depth = (from.replace(/#.*/s, '').match(/\//g) ?? []).length - 1;
  return `${depth > 0 ? '../'.repeat(depth) : './'}${to.slice(1)}${query === '' ? '' : `?${query}`}`;
}

/**
 * Chooses the representation that the client prefers (RFC 9110 §12.5.1).
 *
 * @throws a 406 `Problem` when the client accepts none of the operation's media types
 */
export function negotiate<Caller>(exchange: Exchange<Caller>): undefined {
  const { operation, request } = exchange;
  exchange.mediaType = operation.negotiate?.(headerText(request.headers['accept']));
  if (exchange.mediaType === undefined) {
    const message = `Not acceptable: this resource comes as ${operation.responses.produces.join(', ')}`;
    throw new Problem(406, message);
  }
}

/** Identifies the caller. @throws a 401 or 403 `Problem` when the operation's security is not satisfied */
export function authenticate<Caller>(exchange: Exchange<Caller>): Promise<void> | undefined {
  const { request, operation } = exchange;
  const { security } = operation;
  if (security === undefined) return undefined;
  for (const { credentialOf } of security.schemes) {
    if (credentialOf(request) !== undefined) return identifyCaller(security, exchange);
  }
  if (security.isOptional) return undefined;
  throw missingCredential(security, request);
}
