/** What the engine and a handler exchange: a decoded request and its context in, an answer out. */

import type { Signatures } from '../../contract/contract.js';
import type { HttpRequest } from '../../http/message.js';
import type { DecodedParameters } from '../decode/parameters.js';

/** What a handler is told beside its decoded request. */
export interface CallContext<Caller> {
  /** Who calls: what the security handlers answered, or the engine's `anonymous`. */
  readonly caller: Caller;
  readonly operationId: string;
  /** The request as it came. */
  readonly request: HttpRequest;
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

/** A decoded request: what the generated request types describe. */
export interface DecodedRequest extends DecodedParameters {
  readonly contentType?: string;
  readonly body?: unknown;
}

/** The handlers of a contract, by operationId, for an engine whose callers are these. */
export type OperationHandlers<Handlers extends Signatures<Handlers>, Caller, Literals = never> = {
  readonly [Id in keyof Handlers]: (
    request: Parameters<Handlers[Id]>[0],
    context: CallContext<Caller>,
  ) => ReturnType<Handlers[Id]> | Literals;
};

/**
 * Anything that a handler may answer. A type parameter with this bound, which nothing is ever inferred for, makes the
 * compiler read `() => ({ status: 200 })` as an answer of 200 and not of any number: it looks at handlers without
 * parameters before it knows the contract's types.
 */
export type AnyLiteral<Literals> =
  string | number | boolean | null | undefined | Literals[] | { readonly [name: string]: Literals };

/** Any handler; the generated signatures are the exact form of one. */
export type AnyHandler<Caller> = (
  request: DecodedRequest,
  context: CallContext<Caller>,
) => Answer | Promise<Answer>;
