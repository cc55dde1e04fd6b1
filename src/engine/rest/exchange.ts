/** One call on its way through the steps: the part that handlers see, and what each step leaves for the next. */

import type { RestRequest, RestResponse } from '../message.js';
import type { DecodedParameters } from './decode/parameters.js';
import type { RestOperation } from './operation.js';
import type { CompiledBody } from './request-body.js';

/** What a handler is told beside its decoded request. */
export interface CallContext<Caller> {
  /** Who calls: what the security handlers answered, or the engine's `anonymous`. */
  readonly caller: Caller;
  readonly operationId: string;
  /** The request as it came. */
  readonly request: RestRequest;
  /** The media type that suits the client best among those of the operation's successes; undefined when it has none. */
  readonly mediaType: string | undefined;
}

/** A handler's answer: plain data, one of the operation's declared responses. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly contentType?: string;
  /** Where the contract gives alternatives: the component schema that the body has, for encoders that name it. */
  readonly schema?: string;
  readonly body?: unknown;
}

/** An operation that a method and path led to, with the text of its path parameters. */
export interface RouteMatch<Caller> {
  readonly operation: RestOperation<Caller>;
  readonly values: readonly string[];
}

/** A decoded request: what the generated request types describe. */
export interface DecodedRequest extends DecodedParameters {
  readonly contentType?: string;
  readonly body?: unknown;
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
  response: RestResponse | undefined = undefined;

  constructor(
    readonly request: RestRequest,
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
