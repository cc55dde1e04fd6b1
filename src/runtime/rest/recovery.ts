/** Turns every error into a response: the last step of each call that failed. */

import type { HttpRequest, HttpResponse } from '../http/message.js';
import { DecodeError } from './decode/mismatch.js';
import { Problem } from '../http/problem.js';
import { type ProblemFormat, internalError, problemDetails } from './problem-format.js';
import { compileProblemWriter } from './problem-writer.js';
import type { Encoder } from './operation/response.js';

/** The error options of a service; the engine's options describe each. */
export interface RecoveryOptions {
  readonly encoders?: Readonly<Record<string, Encoder>>;
  readonly problems?: ProblemFormat;
  readonly explain?: (error: unknown) => Problem | undefined;
  readonly report: (error: unknown, request: HttpRequest) => void;
}

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
}: RecoveryOptions): (error: unknown, request: HttpRequest) => HttpResponse {
  const write = compileProblemWriter(problems, encoders);

  function problemOf(error: unknown, request: HttpRequest): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof DecodeError) return new Problem(400, error.message);
    try {
      const explained = explain(error);
      if (explained !== undefined) return explained;
    } catch (failure) {
      tell(failure, request);
    }
    tell(error, request);
    return internalError();
  }

  function tell(error: unknown, request: HttpRequest): void {
    try {
      report(error, request);
    } catch {
      // A failed report cannot be reported, and the client is waiting.
    }
  }

  return (error, request) => {
    try {
      const { accept } = request.headers;
      return write(problemOf(error, request), typeof accept === 'string' ? accept : accept?.join(','));
    } catch (failure) {
      tell(failure, request);
      return { status: 500, headers: {} };
    }
  };
}
