/** One pipeline for every transport (POST, GET, WebSocket, server-sent events): prepare an operation, then run it. */

import * as graphql from 'graphql';
import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  createSourceEventStream,
  execute,
} from 'graphql';
import type { RequestHeaders } from '../../http/message.js';
import type { CompiledResult } from '../compiler/query-compiler.js';
import type { Variables } from '../compiler/graphql-values.js';
import { type Cancellation, Run, type WrittenResult } from './running-operation.js';
import { DocumentCache, defaultCacheBounds } from '../document/document-cache.js';
import { ErrorFormatter } from '../document/errors.js';
import { type Limits, defaultLimits } from '../document/limits.js';
import type { GraphqlEngine, MaybeLater, GraphqlEngineOptions } from './engine.js';
import type { GraphqlParameters } from '../document/graphql-parameters.js';
import {
  Preparation,
  type PreparedDocument,
  type PreparedOperation,
  type RefusedOperation,
} from '../document/preparation.js';
import { requireScalars, runningDefaultResolver, runningSchema } from './running-schema.js';
import {
  ResponseStream,
  type ResultStream,
  SharedExecutions,
  endSource,
  identified,
  keyOf,
  lastEventIdOf,
} from './subscription.js';

/**
 * Makes an engine for an executable schema.
 *
 * @throws when the schema has a custom scalar without an implementation, or constraints that nothing checks
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

/** An operation with the inputs of its run. */
interface Asked<Context> {
  readonly operation: PreparedOperation;
  readonly variables: Variables | undefined;
  readonly context: Context;
  readonly headers: RequestHeaders | undefined;
  readonly cancellation?: Cancellation | undefined;
}

class Engine<Context> implements GraphqlEngine<Context> {
  readonly cache: DocumentCache<PreparedDocument>;
  readonly #schema: GraphQLSchema;
  readonly #limits: Limits;
  readonly #errors: ErrorFormatter;
  readonly #preparation: Preparation;
  readonly #shared = new SharedExecutions<MaybeLater<FormattedExecutionResult>>();

  constructor(private readonly options: GraphqlEngineOptions<Context>) {
    const { suggestions = true, introspection = true } = options;
    this.cache = new DocumentCache({ ...defaultCacheBounds, ...options.cache });
    requireScalars(options.schema);
    this.#schema = runningSchema(options.schema, options.constraints);
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#errors = new ErrorFormatter(options);
    this.#preparation = new Preparation({
      schema: this.#schema,
      suggestions,
      introspection,
      limits: this.#limits,
      trustedDocuments: options.trustedDocuments,
      compile: options.compile,
      cache: this.cache,
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
    headers?: RequestHeaders,
    cancellation?: Cancellation,
  ): MaybeLater<FormattedExecutionResult> {
    const asked = { operation, variables, context, headers, cancellation };
    return this.#execute(asked, this.#run(asked));
  }

  executeToJson(
    operation: PreparedOperation,
    variables: Variables | undefined,
    context: Context,
    headers?: RequestHeaders,
    cancellation?: Cancellation,
  ): MaybeLater<WrittenResult> {
    const asked = { operation, variables, context, headers, cancellation };
    const run = this.#run(asked, true);
    const result = this.#execute(asked, run);
    const refused = (error: unknown) =>
      run.end === undefined ? this.#failed(error, { headers }) : this.#refused(run.end);
    return result instanceof Promise
      ? result.then((settled) => run.written(settled, refused))
      : run.written(result, refused);
  }

  #execute(asked: Asked<Context>, run: Run<Context>): MaybeLater<FormattedExecutionResult> {
    const { operation, variables } = asked;
    let result: MaybeLater<CompiledResult>;
    try {
      const compiled = operation.compiled();
      if (compiled === undefined) return this.#interpret(asked, run);
      result = compiled(run, variables);
    } catch (error) {
      result = failedResult(error);
    }
    return result instanceof Promise
      ? run
          .settled(result)
          .catch(failedResult)
          .then((settled) => this.#trusted(settled, asked, run))
      : this.#trusted(result, asked, run);
  }

  async subscribe(
    operation: PreparedOperation,
    variables: Variables | undefined,
    makeContext: () => MaybeLater<Context>,
    headers?: RequestHeaders,
  ): Promise<ResultStream<FormattedExecutionResult> | FormattedExecutionResult> {
    const first = { operation, variables, context: await makeContext(), headers };
    const run = this.#run(first);
    const starting = startSource(this.#arguments(first, run));
    const source = await run.settled(starting);
    // The client has its answer already.
    if (source instanceof GraphQLError) starting.then(endSource).catch(() => undefined);
    if (!(Symbol.asyncIterator in source)) return this.#format(source, first, run);
    const variablesKey = keyOf(variables);
    // Joined again only when the rights have changed: a joined text is hashed for each event and subscriber.
    let [rights, joinedKey] = ['', `\n${variablesKey}`];
    const respond = (event: unknown, context: Context): MaybeLater<FormattedExecutionResult> => {
      const execute = (): MaybeLater<FormattedExecutionResult> => {
        const asked = { operation, variables, context, headers };
        return identified(this.#interpret(asked, this.#run(asked), event), this.options.eventId?.(event));
      };
      const key = this.options.sharingKey?.(context);
      if (typeof event !== 'object' || event === null || key === undefined) return execute();
      if (key !== rights) [rights, joinedKey] = [key, `${key}\n${variablesKey}`];
      return this.#shared.of(event, operation, joinedKey, execute);
    };
    const stream = new ResponseStream(source, (event) => {
      const context = makeContext();
      return context instanceof Promise
        ? context.then((made) => respond(event, made))
        : respond(event, context);
    });
    return identified(stream, lastEventIdOf(source));
  }

  failure(error: unknown, headers?: RequestHeaders): GraphQLFormattedError {
    return this.#errors.ofFailure(error, headers);
  }

  #run({ operation, context, cancellation }: Asked<Context>, isWritten = false): Run<Context> {
    const run = new Run(operation, context, this.#limits, isWritten, cancellation);
    this.options.begin?.(context, run);
    return run;
  }

  /** Uses the result of a compiled query only if nothing failed: only graphql-js decides on errors and nulls. */
  #trusted(
    result: CompiledResult | GraphQLError,
    asked: Asked<Context>,
    run: Run<Context>,
  ): MaybeLater<FormattedExecutionResult> {
    const isTrusted = result instanceof GraphQLError || result.errors === undefined;
    if (isTrusted || run.end !== undefined) return this.#format(result, asked, run);
    run.earlier = result.outcomes?.();
    if (run.earlier === undefined) {
      run.restart();
      this.options.begin?.(asked.context, run);
    }
    return this.#interpret(asked, run);
  }

  #interpret(
    asked: Asked<Context>,
    run: Run<Context>,
    rootValue?: unknown,
  ): MaybeLater<FormattedExecutionResult> {
    run.isInterpreted = true;
    try {
      const result = execute({
        ...this.#arguments(asked, run),
        rootValue,
        fieldResolver: runningDefaultResolver,
      });
      if (!(result instanceof Promise)) return this.#format(result, asked, run);
      return run.settled(result).then(
        (settled) => {
          run.answered();
          return this.#format(settled, asked, run);
        },
        (error: unknown) => this.#failed(error, asked),
      );
    } catch (error) {
      return this.#failed(error, asked);
    }
  }

  #arguments({ operation: { document, name }, variables }: Asked<Context>, run: Run<Context>): ExecutionArgs {
    return {
      schema: this.#schema,
      document,
      operationName: name ?? null,
      variableValues: variables ?? null,
      contextValue: run,
      hideSuggestions: this.options.suggestions === false,
    };
  }

  #format(
    result: ExecutionResult | GraphQLError,
    { operation, headers }: Asked<Context>,
    run: Run<Context>,
  ): FormattedExecutionResult {
    if (result instanceof GraphQLError) return this.#refused(result);
    if (run.end !== undefined) return this.#refused(run.end);
    const { errors, ...data } = result;
    const formatted = errors?.map((error) => this.#errors.ofExecution(error, operation.name, headers));
    const response = formatted === undefined ? data : { errors: formatted, ...data };
    try {
      const end = run.endOf(response);
      return end === undefined ? response : this.#refused(end);
    } catch (error) {
      // JSON has no form for a value, such as a bigint.
      return this.#failed(error, { headers });
    }
  }

  /** The response where graphql-js or the encoding fails, and no field has the error. */
  #failed(error: unknown, { headers }: Pick<Asked<Context>, 'headers'>): FormattedExecutionResult {
    return { errors: [this.failure(error, headers)], data: null };
  }

  /** The response of an operation that started to run must have `data`, even if it is null (GraphQL, "Response Format"). */
  #refused(end: GraphQLError): FormattedExecutionResult {
    return { errors: [this.#errors.refusal('LIMIT_EXCEEDED', end)], data: null };
  }
}

/** The result of a compiler that fails, which the engine discards. */
function failedResult(error: unknown): CompiledResult {
  return { errors: [error instanceof GraphQLError ? error : new GraphQLError(String(error))] };
}

/** Starts the source of a subscription: graphql 17 takes arguments only as it has validated them, and may answer at once. */
async function startSource(given: ExecutionArgs): Promise<AsyncIterable<unknown> | ExecutionResult> {
  type Validated = Parameters<typeof createSourceEventStream>[0];
  type Validate = (given: ExecutionArgs) => Validated | readonly GraphQLError[];
  const { validateSubscriptionArgs: validate } = graphql as { readonly validateSubscriptionArgs?: Validate };
  const validated = validate?.(given) ?? (given as object as Validated);
  return 'schema' in validated ? await createSourceEventStream(validated) : { errors: validated };
}
