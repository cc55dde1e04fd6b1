/** The interface of an engine, which all transports call, and its options. */

import type { FormattedExecutionResult, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { RequestHeaders } from '../../http/message.js';
import type { Variables } from '../compiler/graphql-values.js';
import type { CacheState, CacheBounds } from '../document/document-cache.js';
import type { GraphqlParameters } from '../document/graphql-parameters.js';
import type { PreparedOperation, RefusedOperation, TrustedDocuments } from '../document/preparation.js';
import type { Cancellation, WrittenResult, RunningOperation } from './running-operation.js';
import type { ResultStream } from './subscription.js';
import type { QueryCompiler } from '../compiler/query-compiler.js';
import type { ErrorOptions } from '../document/errors.js';
import type { Limits } from '../document/limits.js';
import type { ConstraintChecks } from './constraints.js';

export type MaybeLater<Value> = Value | Promise<Value>;

/** Runs operations of one schema. `Context` is the type of the third argument of resolvers. */
export interface GraphqlEngine<Context> {
  /**
   * Parses, measures and validates a document, and chooses its operation. Valid documents are cached.
   *
   * @returns the operation, or the errors that refuse it: `'errors' in prepared`
   */
  prepare(parameters: GraphqlParameters): PreparedOperation | RefusedOperation;

  /**
   * Runs a query or a mutation. Failures are in the result's `errors`, in the form for clients. The result is a promise only
   * if a resolver returns one or if it takes long, and it never rejects.
   *
   * @param headers - for the report of a masked error
   * @param cancellation - ends the operation when its signal aborts; read only if the result takes longer than 20 ms
   */
  execute(
    operation: PreparedOperation,
    variables: Variables | undefined,
    context: Context,
    headers?: RequestHeaders,
    cancellation?: Cancellation,
  ): MaybeLater<FormattedExecutionResult>;

  /**
   * Runs a query or a mutation like `execute`, and also writes the result as JSON, which measures it exactly. A result of over 1 MiB is
   * written in turns, and so is a promise.
   */
  executeToJson(
    operation: PreparedOperation,
    variables: Variables | undefined,
    context: Context,
    headers?: RequestHeaders,
    cancellation?: Cancellation,
  ): MaybeLater<WrittenResult>;

  /**
   * Starts a subscription.
   *
   * @param makeContext - called for the source stream and again for each event, so that data cached in one event's context
   *   is not used for the next; if it throws, reading rejects with its error
   * @param headers - for the report of a masked error
   * @returns one result per event, or a single result with errors when the subscription could not start. Reading rejects with
   *   any error of the source stream, unchanged: the transport reports it to the client. `return()` ends the source at once
   */
  subscribe(
    operation: PreparedOperation,
    variables: Variables | undefined,
    makeContext: () => MaybeLater<Context>,
    headers?: RequestHeaders,
  ): Promise<ResultStream<FormattedExecutionResult> | FormattedExecutionResult>;

  /** The state of the cache of valid documents, for metrics. */
  readonly cache: CacheState;

  /** The error for clients when a transport fails outside an operation: explained, or masked and reported. */
  failure(error: unknown, headers?: RequestHeaders): GraphQLFormattedError;
}

export interface GraphqlEngineOptions<Context = unknown> extends ErrorOptions {
  readonly schema: GraphQLSchema;
  /** All exports of the generated `constraints.ts`, for a schema with `@constraint`. */
  readonly constraints?: ConstraintChecks;
  /** Limits; {@link defaultLimits} gives the missing ones. */
  readonly limits?: Partial<Limits>;
  /** The bounds of the document cache; {@link defaultCacheBounds} unless given. */
  readonly cache?: Partial<CacheBounds>;
  /** Whether clients may read the schema; true by default. */
  readonly introspection?: boolean;
  /** Whether messages may suggest names of the schema ("Did you mean …"); true by default. */
  readonly suggestions?: boolean;
  /** When given, only these documents are served. */
  readonly trustedDocuments?: TrustedDocuments;
  /**
   * A key of the data in a context that results depend on, such as the rights of its caller: subscribers with the same key,
   * operation and variables share one execution per event, so each event must be a new object. Undefined for a context that shares no execution, which is the default.
   */
  readonly sharingKey?: (context: Context) => string | undefined;
  /**
   * The id of an event, one line of text; none by default. Clients get it with server-sent events, and send the last one as
   * `Last-Event-ID` when they reconnect. If a source stream has a `lastEventId`, they get that one at once.
   */
  readonly eventId?: (event: unknown) => string | undefined;
  /**
   * Called before an operation runs. If a compiled query fails without the values of its resolvers, the engine calls this again
   * with the same context, and then runs all resolvers again: a context that counts work must start again.
   */
  readonly begin?: (context: Context, running: RunningOperation) => void;
  /** Compiles queries, for example `compileQuery`; without it, all queries are interpreted. */
  readonly compile?: QueryCompiler;
}
