/** The state of one call, which the steps read and set. */

import type { HttpRequest, HttpResponse } from '../../http/message.js';
import { Printable } from '../../http/printable.js';
import type { ProblemFailure } from '../../http/problem.js';
import type { CallContext, DecodedRequest } from '../operation/handler.js';
import type { RestOperation } from '../operation/operation.js';
import type { WholeBody } from '../operation/request-body.js';

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
  bodyCodec: WholeBody | undefined = undefined;
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
