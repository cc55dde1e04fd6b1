/** How problems are written as responses. */

import { Problem } from '../http/problem.js';
import { statusPhrase } from '../http/status-phrase.js';

/** How problems are written: the media types, and the value. */
export interface ProblemFormat {
  /** Offered to the client's `Accept`, the first when nothing fits. */
  readonly mediaTypes: readonly string[];
  /**
   * The value that the contract declares for the problem's status. `problem.failures` has everything in a request that does
   * not fit.
   */
  body(problem: Problem): unknown;
}

/**
 * Problem details (RFC 9457), for services whose contract has no error shape of its own. A request that does not fit its
 * contract also gets `errors`, an extension in the manner of RFC 9457 §3: what is wrong, with pointer, keyword and sentence.
 */
export const problemDetails: ProblemFormat = {
  mediaTypes: ['application/problem+json'],
  body: ({ status, message, failures }) => ({
    type: 'about:blank',
    title: statusPhrase(status),
    status,
    detail: message,
    ...(failures.length > 0 && { errors: failures }),
  }),
};

/** The answer to a client for an unexpected error. */
export function internalError(): Problem {
  return new Problem(500, 'Internal server error');
}
