/** One pipeline for every way in (POST, GET, WebSocket, server-sent events): prepare an operation, then run it. */

import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
  createSourceEventStream,
  execute,
} from 'graphql';
import type { QueryCompiler } from './compiler.js';
import { type CacheBounds, DocumentCache, defaultCacheBounds } from './document-cache.js';
import { ErrorFormatter, type ErrorOptions } from './errors.js';
import { type Limits, defaultLimits } from './limits.js';
import type { GraphqlParameters, Variables } from './parameters.js';
import { Preparation, type RefusedOperation } from './preparation.js';
import type { PreparedDocument, PreparedOperation } from './prepared.js';
import { SharedExecutions, keyOf } from './shared-executions.js';
import { ResponseStream } from './subscription.js';
import type { TrustedDocuments } from './trusted-documents.js';

export interface GraphqlEngineOptions<Context = unknown> extends ErrorOptions {
  readonly schema: GraphQLSchema;
  /** {@link defaultLimits} for those that are not given. */
  readonly limits?: Partial<Limits>;
  /** How many documents are remembered; {@link defaultCacheBounds} unless given. */
  readonly cache?: Partial<CacheBounds>;
  /** Whether clients may read the schema; they may unless this is false. */
  readonly introspection?: boolean;
  /** Whether messages may suggest names of the schema ("Did you mean …"); they may unless this is false. */
  readonly suggestions?: boolean;
  /** Given, nothing else is served. */
  readonly trustedDocuments?: TrustedDocuments;
  /**
   * Whether a context is as good as any other for which this is true, as those of callers nobody knows are: subscribers with
   * the same operation and variables then share one execution of each event. None are unless given.
   */
  readonly isInterchangeable?: (context: Context) => boolean;
  /** Runs queries as functions, such as `graphqlJit`; without one all are interpreted. */
  readonly compile?: QueryCompiler;
}

/** Runs operations of one schema. `Context` is what resolvers get as their third argument. */
export interface GraphqlEngine<Context> {
  /**
   * Parses, measures, validates and chooses. Documents that may run are remembered.
   *
   * @returns the operation, or the errors that refuse it: `'errors' in prepared`
   */
  prepare(parameters: GraphqlParameters): PreparedOperation | RefusedOperation;

  /**
   * Runs a query or a mutation. What fails is in the result's `errors`, as clients may see it; a promise never rejects, and
   * is used only where a resolver needs one.
   */
  execute(
    operation: PreparedOperation,
    variables: Variables | undefined,
    context: Context,
  ): FormattedExecutionResult | Promise<FormattedExecutionResult>;

  /**
   * Starts a subscription.
   *
   * @param makeContext - called for the source stream and again for each event, so that what a context remembers of one
   *   event is not taken for the next; reading rejects with what it throws
   * @returns a result for each event, or one result with errors when it could not start. Reading rejects with whatever
   *   the source stream throws, unchanged: how it ends is the transport's to tell. `return()` ends the source at once
   */
  subscribe(
    operation: PreparedOperation,
    variables: Variables | undefined,
    makeContext: () => Context | Promise<Context>,
  ): Promise<AsyncGenerator<FormattedExecutionResult, void, void> | FormattedExecutionResult>;

  /** What clients are told where a transport fails around an operation: explained, or masked and reported. */
  failure(error: unknown): GraphQLFormattedError;
}

/**
 * Makes an engine of an executable schema.
 *
 * @example
 * ```ts
 * const engine = graphqlEngine<undefined>({ schema, explain: () => undefined, report: console.error });
 * const operation = engine.prepare({ query: '{ greeting }' });
 * const result = 'errors' in operation ? operation : await engine.execute(operation, {}, undefined);
 * ```
 */
export function graphqlEngine<Context>(options: GraphqlEngineOptions<Context>): GraphqlEngine<Context> {
  return new Engine(options);
}

class Engine<Context> implements GraphqlEngine<Context> {
  readonly #schema: GraphQLSchema;
  readonly #hideSuggestions: boolean;
  readonly #errors: ErrorFormatter;
  readonly #preparation: Preparation;
  readonly #isInterchangeable: (context: Context) => boolean;
  readonly #shared = new SharedExecutions<FormattedExecutionResult | Promise<FormattedExecutionResult>>();

  constructor(options: GraphqlEngineOptions<Context>) {
    const { schema, suggestions = true, introspection = true } = options;
    this.#schema = schema;
    this.#hideSuggestions = !suggestions;
    this.#isInterchangeable = options.isInterchangeable ?? (() => false);
    this.#errors = new ErrorFormatter(options);
    this.#preparation = new Preparation({
      schema,
      suggestions,
      introspection,
      limits: { ...defaultLimits, ...options.limits },
      trustedDocuments: options.trustedDocuments,
      compile: options.compile,
      cache: new DocumentCache<PreparedDocument>({ ...defaultCacheBounds, ...options.cache }),
      errors: this.#errors,
    });
  }

  prepare(parameters: GraphqlParameters): PreparedOperation | RefusedOperation {
    return this.#preparation.prepare(parameters);
  }

  execute(
    operation: PreparedOperation,
    variables: Variables | undefined,
    context: Context,
  ): FormattedExecutionResult | Promise<FormattedExecutionResult> {
    const compiled = operation.compiled();
    if (compiled === undefined) return this.#interpret(operation, variables, context);
    const result = compiled(context, variables);
    return result instanceof Promise
      ? result.then((settled) => this.#trusted(settled, operation, variables, context))
      : this.#trusted(result, operation, variables, context);
  }

  async subscribe(
    operation: PreparedOperation,
    variables: Variables | undefined,
    makeContext: () => Context | Promise<Context>,
  ): Promise<AsyncGenerator<FormattedExecutionResult, void, void> | FormattedExecutionResult> {
    const args = this.#arguments(operation, variables, await makeContext());
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) return this.#format(source, operation);
    const variablesKey = keyOf(variables);
    return new ResponseStream(source, async (event) => {
      const context = await makeContext();
      const respond = (): FormattedExecutionResult | Promise<FormattedExecutionResult> =>
        this.#interpret(operation, variables, context, event);
      return typeof event === 'object' && event !== null && this.#isInterchangeable(context)
        ? this.#shared.of(event, operation, variablesKey, respond)
        : respond();
    });
  }

  failure(error: unknown): GraphQLFormattedError {
    return this.#errors.ofFailure(error);
  }

  /** A compiled query answers only where nothing failed: what errors look like, and where null goes, is graphql-js's. */
  #trusted(
    result: ExecutionResult,
    operation: PreparedOperation,
    variables: Variables | undefined,
    context: Context,
  ): FormattedExecutionResult | Promise<FormattedExecutionResult> {
    return result.errors === undefined
      ? (result as FormattedExecutionResult)
      : this.#interpret(operation, variables, context);
  }

  #interpret(
    operation: PreparedOperation,
    variables: Variables | undefined,
    context: Context,
    rootValue?: unknown,
  ): FormattedExecutionResult | Promise<FormattedExecutionResult> {
    const result = execute({ ...this.#arguments(operation, variables, context), rootValue });
    return result instanceof Promise
      ? result.then((settled) => this.#format(settled, operation))
      : this.#format(result, operation);
  }

  #arguments(
    { document, name }: { readonly document: DocumentNode; readonly name: string | undefined },
    variableValues: Variables | undefined,
    contextValue: Context,
  ): ExecutionArgs {
    return {
      schema: this.#schema,
      document,
      operationName: name ?? null,
      variableValues: variableValues ?? null,
      contextValue,
      hideSuggestions: this.#hideSuggestions,
    };
  }

  #format({ errors, ...result }: ExecutionResult, { name }: PreparedOperation): FormattedExecutionResult {
    if (errors === undefined) return result;
    return { errors: errors.map((error) => this.#errors.ofExecution(error, name)), ...result };
  }
}
