/** The interface of an engine, which all transports call. */

import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import type { RequestHeaders } from '../../http/message.js';
import type { Variables } from '../compiler/graphql-values.js';
import type { CacheState } from '../document/document-cache.js';
import type { GraphqlParameters } from '../document/graphql-parameters.js';
import type { PreparedOperation, RefusedOperation } from '../document/preparation.js';
import type { Cancellation, WrittenResult } from './running-operation.js';
import type { ResultStream } from './subscription.js';

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
