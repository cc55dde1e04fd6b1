/** The answer to a request that is not a GraphQL request: a problem in the shape of a GraphQL response. */

import type { FormattedExecutionResult } from 'graphql';
import type { Problem } from '../http/problem.js';
import type { EngineErrorCode } from './errors.js';

/** Transports whose problems are not HTTP responses, such as WebSockets, use it too. */
export function problemResult({ status, message }: Problem): FormattedExecutionResult {
  const code: EngineErrorCode = status === 413 || status === 429 ? 'LIMIT_EXCEEDED' : 'BAD_USER_INPUT';
  return { errors: [{ message, extensions: { code } }] };
}
