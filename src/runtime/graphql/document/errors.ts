/** Formats errors for clients: a message, a place and a code in `extensions.code`; unexpected errors are masked. */

import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type RequestHeaders, Printable, printedId } from '../../http/message.js';
import { OUTAGE_SECONDS, Problem } from '../../http/problem.js';

/** The codes of the engine's own refusals. */
export type EngineErrorCode =
  | 'BAD_USER_INPUT'
  | 'CONFLICT'
  | 'FORBIDDEN'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'INTERNAL_SERVER_ERROR'
  | 'LIMIT_EXCEEDED'
  | 'NOT_FOUND'
  | 'NOT_IMPLEMENTED'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'SERVICE_UNAVAILABLE'
  | 'UNAUTHENTICATED';

/** The codes of the problems that resolvers throw, by HTTP status; that of any other is `BAD_USER_INPUT` below 500. */
const CODES: Readonly<Partial<Record<number, EngineErrorCode>>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  413: 'LIMIT_EXCEEDED',
  429: 'LIMIT_EXCEEDED',
  501: 'NOT_IMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
};

function codeOf({ status }: Problem): EngineErrorCode {
  return CODES[status] ?? (status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR');
}

/** The form in which clients see one of the service's errors. */
export interface ErrorExplanation {
  /** For `extensions.code`. */
  readonly code: string;
  /** One sentence that clients may read. */
  readonly message: string;
  /** With `SERVICE_UNAVAILABLE`: the seconds after which the client may try again, for `Retry-After`; 2 unless given. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The origin of an error. */
export interface ErrorPlace {
  readonly operationName: string | undefined;
  /** The path to the field, by response names and list positions. */
  readonly path: readonly (string | number)[] | undefined;
  /** The headers of the HTTP request, which may carry a request id; for a WebSocket, those of its upgrade. */
  readonly headers: RequestHeaders | undefined;
}

class ReportedPlace extends Printable implements ErrorPlace {
  readonly #headers: RequestHeaders | undefined;

  constructor(
    readonly operationName: string | undefined,
    readonly path: ErrorPlace['path'],
    headers: RequestHeaders | undefined,
  ) {
    super();
    this.#headers = headers;
  }

  get headers(): RequestHeaders | undefined {
    return this.#headers;
  }

  override toJSON(): object {
    return { operationName: this.operationName, path: this.path, ...printedId(this.#headers) };
  }
}

export interface ErrorOptions {
  /**
   * Explains an error that a resolver threw, for clients. An error for which it returns undefined is masked, except for a `Problem`: its
   * status decides about the code.
   */
  readonly explain: (error: unknown, place: ErrorPlace) => ErrorExplanation | undefined;
  /** Called with every masked error. */
  readonly report: (error: unknown, place: ErrorPlace) => void;
}

export class ErrorFormatter {
  constructor(private readonly options: ErrorOptions) {}

  /** An error that refuses the whole request: in parsing, validation, or the choice of the operation. */
  refusal(code: EngineErrorCode, error: GraphQLError): GraphQLFormattedError {
    return formatted(error, { code, message: error.message });
  }

  /** An error of an execution, thrown by the service or by graphql-js. */
  ofExecution(
    error: GraphQLError,
    operationName: string | undefined,
    headers: RequestHeaders | undefined,
  ): GraphQLFormattedError {
    const { originalError, path } = error;
    // An error without a path comes before any resolver runs: a variable does not fit its declaration.
    if (path === undefined) return this.refusal('BAD_USER_INPUT', error);
    return formatted(
      error,
      this.#explain(originalError ?? error, new ReportedPlace(operationName, path, headers)),
    );
  }

  /** An error outside an execution. */
  ofFailure(error: unknown, headers: RequestHeaders | undefined): GraphQLFormattedError {
    const explanation = this.#explain(error, new ReportedPlace(undefined, undefined, headers));
    return remembered({ message: explanation.message, extensions: { code: explanation.code } }, explanation);
  }

  /** It never throws, even if the service's own functions do. */
  #explain(error: unknown, place: ErrorPlace): ErrorExplanation {
    try {
      const explanation = this.options.explain(error, place);
      if (explanation !== undefined) return explanation;
    } catch (failure) {
      this.#report(failure, place);
    }
    // A handler of REST refuses a request by the same error.
    if (error instanceof Problem) {
      const retryAfterSeconds = Number(error.headers['Retry-After'] ?? NaN);
      return { code: codeOf(error), message: error.message, retryAfterSeconds };
    }
    if (error instanceof GraphQLError) {
      const { message, nodes, extensions } = error;
      if (typeof extensions['code'] === 'string') return { code: extensions['code'], message };
      // graphql-js adds the node of an argument that it could not coerce; an error about a resolver's value has no node.
      if (nodes !== undefined && error.path === undefined) return { code: 'BAD_USER_INPUT', message };
    }
    this.#report(error, place);
    return { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' };
  }

  #report(error: unknown, place: ErrorPlace): void {
    try {
      this.options.report(error, place);
    } catch {
      // A failed report cannot be reported, and the client is waiting.
    }
  }
}

function formatted({ locations, path }: GraphQLError, explanation: ErrorExplanation): GraphQLFormattedError {
  const { message, code } = explanation;
  const error = { message, ...(locations && { locations }), ...(path && { path }), extensions: { code } };
  return remembered(error, explanation);
}

/** The seconds of errors that have any; a result has no place for them. */
const waits = new WeakMap<GraphQLFormattedError, number>();

function remembered(
  error: GraphQLFormattedError,
  { retryAfterSeconds }: ErrorExplanation,
): GraphQLFormattedError {
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0) waits.set(error, retryAfterSeconds);
  return error;
}

/** @returns the seconds after which a client may try again, if an outage is all that the result has; undefined if anything was read */
export function outageOf({ data, errors = [] }: FormattedExecutionResult): number | undefined {
  const isOutage =
    errors.length > 0 && errors.every(({ extensions }) => extensions?.['code'] === UNAVAILABLE);
  if (!isOutage || Object.values(data ?? {}).some((value) => value !== null)) return undefined;
  return Math.max(...errors.map((error) => waits.get(error) ?? OUTAGE_SECONDS));
}

const UNAVAILABLE: EngineErrorCode = 'SERVICE_UNAVAILABLE';

/**
 * The response to a malformed GraphQL request: a problem in the shape of a GraphQL response. Transports whose problems are not
 * HTTP responses, such as WebSockets, use it too.
 */
export function problemResult(problem: Problem): FormattedExecutionResult {
  return { errors: [{ message: problem.message, extensions: { code: codeOf(problem) } }] };
}
