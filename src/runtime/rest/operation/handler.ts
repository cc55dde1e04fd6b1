/** The types between the engine and a handler, which may be a mock: a decoded request and its context in, an answer out. */

import type { Signatures, UntypedHandler } from '../../contract/contract.js';
import type { HttpRequest } from '../../http/message.js';
import type { DecodedParameters } from '../decode/parameters.js';

/**
 * The context that a handler gets with its decoded request. `Host` is the request context of the transports behind which the
 * handler runs, such as Koa's `Context`; unless given, it runs behind every transport.
 */
export interface CallContext<Caller, Host = unknown> {
  /** The caller that the security handlers returned, or the engine's `anonymous`. */
  readonly caller: Caller;
  readonly operationId: string;
  /** The request as the transport passed it. */
  readonly request: HttpRequest<Host>;
  /** The request context of the transport. */
  readonly host: Host;
  /**
   * The client's preferred media type among those of the operation's successes; undefined when they have none. Where they have several,
   * the generated type of the handler lists these.
   */
  readonly mediaType: string | undefined;
}

/** A handler's answer: plain data, one of the operation's declared responses. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly contentType?: string;
  /** The component schema of the body, if the contract allows several, for encoders that use its name. */
  readonly schema?: string;
  readonly body?: unknown;
}

/** A decoded request; the generated request types describe it exactly. */
export interface DecodedRequest extends DecodedParameters {
  readonly contentType?: string;
  readonly body?: unknown;
}

/** The media types of an operation's successes, if its handler has a generated type that lists them. */
type Negotiated<Handler extends UntypedHandler> = [Parameters<Handler>[1]] extends [never]
  ? unknown
  : Parameters<Handler>[1];

/** The handlers of a contract, by operationId, for an engine with these types of caller and host. */
export type OperationHandlers<
  Handlers extends Signatures<Handlers>,
  Caller,
  Host = unknown,
  Literals = never,
> = {
  readonly [Id in keyof Handlers]: (
    request: Parameters<Handlers[Id]>[0],
    context: CallContext<Caller, Host> & Negotiated<Handlers[Id]>,
  ) => ReturnType<Handlers[Id]> | Literals;
};

/** The handlers of a part of a contract. A `Partial` of the type above would give untyped handlers no types. */
export type SomeOperationHandlers<Handlers extends Signatures<Handlers>, Caller, Host, Literals> = {
  readonly [Id in keyof Handlers]?: (
    request: Parameters<Handlers[Id]>[0],
    context: CallContext<Caller, Host> & Negotiated<Handlers[Id]>,
  ) => ReturnType<Handlers[Id]> | Literals;
};

/**
 * Any value that a handler may answer. The compiler checks handlers without parameters before it knows the contract's types. A
 * type parameter with this bound makes it infer 200, and not `number`, from `() => ({ status: 200 })`. The compiler infers no
 * type for the parameter itself.
 */
export type AnyLiteral<Literals> =
  string | number | boolean | null | undefined | Literals[] | { readonly [name: string]: Literals };

/** A handler with any types of request and host; the generated signatures are more exact. */
export interface AnyHandler<Caller> {
  (request: DecodedRequest, context: CallContext<Caller, never>): Answer | Promise<Answer>;
  /** Whether it answers with examples, instead of a handler that is not written yet. */
  readonly isMock?: boolean;
}

export const MOCK_HEADERS = { 'X-Mock': 'true' } as const;

/** Warns of operations whose handlers are mocks. @throws for such an operation when `NODE_ENV` is `production` */
export function announceMocks(
  operations: readonly { readonly id: string; readonly handler: Pick<AnyHandler<never>, 'isMock'> }[],
): void {
  const ids = operations.filter(({ handler }) => handler.isMock === true).map(({ id }) => id);
  if (ids.length === 0) return;
  const list = ids.join(', ');
  // Not every JavaScript runtime has Node's `process`.
  if (typeof process !== 'undefined' && process.env['NODE_ENV'] === 'production') {
    throw new Error(`these operations have no handler, only examples, and NODE_ENV is production: ${list}`);
  }
  console.warn(`These operations answer with the examples of the contract: ${list}`);
}
