/** Formats errors for clients: a message, a place and a code in `extensions.code`; unexpected errors are masked. */

import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { RequestHeaders } from '../../http/message.js';
import { Printable, printedId } from '../../http/printable.js';
import type { Problem } from '../../http/problem.js';

/** The codes of the engine's own refusals. */
export type EngineErrorCode =
  | 'BAD_USER_INPUT'
  | 'FORBIDDEN'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'INTERNAL_SERVER_ERROR'
  | 'LIMIT_EXCEEDED'
  | 'PERSISTED_QUERY_NOT_SUPPORTED';

/** The form in which clients see one of the service's errors. */
export interface ErrorExplanation {
  /** For `extensions.code`. */
  readonly code: string;
  /** One sentence that clients may read. */
  readonly message: string;
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
  /** Explains an error that a resolver threw, for clients. An error for which it returns undefined is masked. */
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
    const { message, code } = this.#explain(error, new ReportedPlace(undefined, undefined, headers));
    return { message, extensions: { code } };
  }

  /** It never throws, even if the service's own functions do. */
  #explain(error: unknown, place: ErrorPlace): ErrorExplanation {
    try {
      const explanation = this.options.explain(error, place);
      if (explanation !== undefined) return explanation;
    } catch (failure) {
      this.#report(failure, place);
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

function formatted(
  { locations, path }: GraphQLError,
  { code, message }: ErrorExplanation,
): GraphQLFormattedError {
  return { message, ...(locations && { locations }), ...(path && { path }), extensions: { code } };
}

/**
 * The response to a malformed GraphQL request: a problem in the shape of a GraphQL response. Transports whose problems are not
 * HTTP responses, such as WebSockets, use it too.
 */
export function problemResult({ status, message }: Problem): FormattedExecutionResult {
  const code: EngineErrorCode = status === 413 || status === 429 ? 'LIMIT_EXCEEDED' : 'BAD_USER_INPUT';
  return { errors: [{ message, extensions: { code } }] };
}
