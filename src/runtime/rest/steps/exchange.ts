/** One call on its way through the steps: what each leaves for the next. */

import type { HttpRequest, HttpResponse } from '../../http/message.js';
import type { Answer, CallContext, DecodedRequest } from '../operation/handler.js';
import type { RestOperation } from '../operation/operation.js';
import type { CompiledBody } from '../operation/request-body.js';

/** An operation that a method and path led to, with the text of its path parameters. */
export interface RouteMatch<Caller> {
  readonly operation: RestOperation<Caller>;
  readonly values: readonly string[];
}

/** The state of one call. A step reads what earlier steps set, and sets its own. */
export class Exchange<Caller> implements CallContext<Caller> {
  /** By `negotiate`. */
  mediaType: string | undefined = undefined;
  /** By `decode`; the codec of a body is kept for its check. */
  decoded: DecodedRequest = NOT_DECODED;
  bodyCodec: CompiledBody | undefined = undefined;
  /** By `handle`. */
  answer: Answer | undefined = undefined;
  /** By `encode`. */
  response: HttpResponse | undefined = undefined;

  constructor(
    readonly request: HttpRequest,
    /** By the transport, if it routed already, else by `route`. */
    public match: RouteMatch<Caller> | undefined,
    /** By `authenticate`. */
    public caller: Caller,
  ) {}

  /** The matched operation; `route` comes before everything that asks for it. */
  get operation(): RestOperation<Caller> {
    if (this.match === undefined) throw new Error('the request is not routed yet');
    return this.match.operation;
  }

  get operationId(): string {
    return this.operation.id;
  }
}

const NOT_DECODED: DecodedRequest = { path: {}, query: {}, headers: {}, cookies: {} };
