/** How problems are written as responses. */

import { Problem } from '../http/problem.js';

/** How problems are written: the media types, and the value. */
export interface ProblemFormat {
  /** Offered to the client's `Accept`, the first when nothing fits. */
  readonly mediaTypes: readonly string[];
  body(problem: Problem): unknown;
}

/** Problem details (RFC 9457), for services whose contract has no error shape of its own. */
export const problemDetails: ProblemFormat = {
  mediaTypes: ['application/problem+json'],
  body: ({ status, message }) => ({ status, detail: message }),
};

/** The answer to a client for an unexpected error. */
export function internalError(): Problem {
  return new Problem(500, 'Internal server error');
}
