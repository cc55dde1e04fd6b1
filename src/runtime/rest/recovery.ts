/** Turns errors into responses: the last step of every failed call. */

import type { ResponseChecks } from '../contract/contract.js';
import { type HttpRequest, type HttpResponse, type ResponseContent, headerText } from '../http/message.js';
import { DecodeError } from './decode/mismatch.js';
import {
  hostProblem,
  internalError,
  Problem,
  problemDetails,
  type ProblemFormat,
  refusals,
} from '../http/problem.js';
import { type RefusingOperation, refusalFault } from './operation/response-check.js';
import type { Encoder } from './operation/response.js';
import { encodeHeaderValue, joinVary } from '../http/response-writers.js';
import { compileNegotiation } from '../http/media-type.js';
import { type ResponseVary, varyOnAccept } from './operation/operation.js';

/** Options for writing problems and reporting errors. */
export interface RecoveryOptions<Host = unknown> {
  /** Encoders for media types other than JSON, text and bytes, by media type. */
  readonly encoders?: Readonly<Record<string, Encoder>>;
  /** The format of problems; problem details (RFC 9457) when not given. */
  readonly problems?: ProblemFormat;
  /**
   * Turns the service's errors into problems; an error for which it returns undefined is masked as a 500, unless it is one by which a
   * server answers a status, such as that of Koa's `ctx.throw`. It gets the engine's own problems too, and may return others in their
   * place.
   */
  readonly explain?: (error: unknown, request: HttpRequest<Host>) => Problem | undefined;
  /** Called with every masked error. */
  readonly report: (error: unknown, request: HttpRequest<Host>) => void;
  /**
   * The exports of the generated `response-validators.js`, for tests and development. With them, every answer is checked. An
   * answer that does not fit its contract is masked. A refusal of the engine that does not fit is sent, and passed to `report`.
   */
  readonly checkResponses?: ResponseChecks;
}

/** Turns an error into a response. @param operation - the called operation, if the request reached one */
export type Recover = (
  error: unknown,
  request: HttpRequest<never>,
  operation?: RefusingOperation,
) => HttpResponse;

/**
 * Makes the function that turns an error into a response. It never throws, even if the service's own functions do.
 *
 * @throws when the problem format names a media type that has no encoder
 */
export function compileRecovery({
  encoders = {},
  problems = problemDetails,
  explain = () => undefined,
  report,
}: RecoveryOptions<never>): Recover {
  const write = compileProblemWriter(problems, encoders);

  function problemOf(thrown: unknown, request: HttpRequest<never>): Problem {
    const error =
      thrown instanceof DecodeError ? new Problem(400, thrown.message, {}, thrown.failures) : thrown;
    try {
      const explained = explain(error, request);
      if (explained !== undefined) return explained;
    } catch (failure) {
      reportSafely(failure, request);
    }
    if (error instanceof Problem) return error;
    const problem = hostProblem(error);
    // What the client does not see is not lost.
    if (problem === undefined || problem.status >= 500 || problem.message !== (error as Error).message)
      reportSafely(error, request);
    return problem ?? internalError();
  }

  function reportSafely(error: unknown, request: HttpRequest<never>): void {
    try {
      report(error, request);
    } catch {
      // A failed report cannot be reported, and the client is waiting.
    }
  }

  return (error, request, operation) => {
    try {
      const problem = problemOf(error, request);
      const response = write(problem, headerText(request.headers['accept']), operation?.vary);
      refusals.set(response, problem);
      // A masked error has already been reported. With 501, a handler says that it is not written yet.
      if (operation?.checker !== undefined && problem.status !== 500 && problem.status !== 501) {
        const reason = refusalFault(operation, response, problems.body(problem));
        // The sentence names the operation; a stack would only name the engine.
        if (reason !== undefined)
          reportSafely(Object.assign(new Error(reason), { stack: `Error: ${reason}` }), request);
      }
      return response;
    } catch (failure) {
      reportSafely(failure, request);
      return { status: 500, headers: {} };
    }
  };
}

/**
 * Makes the function that writes problems.
 *
 * @returns a function from a problem, the client's `Accept` and the operation's `Vary` to the response; it throws for invalid
 *   headers
 * @throws when the format names a media type that has no encoder
 */
export function compileProblemWriter(
  format: ProblemFormat,
  encoders: Readonly<Record<string, Encoder>>,
): (problem: Problem, accept: string | undefined, vary?: ResponseVary) => HttpResponse {
  const [first, ...others] = format.mediaTypes;
  if (first === undefined) throw new Error('the problem format names no media type');
  const encode = new Map(format.mediaTypes.map((mediaType) => [mediaType, encoderOf(mediaType, encoders)]));
  const negotiate = compileNegotiation([first, ...others]);
  return (problem, accept, vary = varyOnAccept) => {
    // A client that accepts none of the media types still gets the problem, in the first one (RFC 9110 §15.5.7).
    const mediaType = negotiate(accept) ?? first;
    const headers = Object.fromEntries(
      Object.entries(problem.headers).map(([name, text]) => [name, encodeHeaderValue(text)]),
    );
    const dependsOn = others.length > 0 ? vary.negotiated : vary.other;
    return {
      status: problem.status,
      headers: {
        ...headers,
        'Content-Type': mediaType,
        ...(dependsOn !== undefined && { Vary: joinVary(headers['Vary'] ?? '', dependsOn) }),
      },
      body: (encode.get(mediaType) ?? JSON.stringify)(format.body(problem)),
    };
  };
}

function encoderOf(
  mediaType: string,
  encoders: Readonly<Record<string, Encoder>>,
): (value: unknown) => ResponseContent {
  const registered = encoders[mediaType];
  if (registered !== undefined) return (value) => registered(value, 'Error');
  if (/[/+]json$/.test(mediaType)) return JSON.stringify;
  throw new Error(`there is no encoder for ${mediaType}`);
}
