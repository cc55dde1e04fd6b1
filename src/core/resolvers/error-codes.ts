/** Maps every error code of the core to a GraphQL code, in one total table. */

import type { ErrorExplanation } from 'concordat/graphql';
import { type ErrorCode, ServiceError } from '../model/error.js';

const CODE = {
  'invalid-input': 'BAD_USER_INPUT',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  'precondition-failed': 'CONFLICT',
  'key-reused': 'CONFLICT',
  'limit-exceeded': 'LIMIT_EXCEEDED',
  'too-many-requests': 'LIMIT_EXCEEDED',
  unavailable: 'SERVICE_UNAVAILABLE',
  'storage-full': 'SERVICE_UNAVAILABLE',
  'outcome-unknown': 'INTERNAL_SERVER_ERROR',
  'not-implemented': 'NOT_IMPLEMENTED',
} as const satisfies Record<ErrorCode, string>;

/** The `extensions.code` and message for an error of the core; undefined for any other error, which is masked. */
export function explainToClients(error: unknown): ErrorExplanation | undefined {
  return error instanceof ServiceError ? { code: CODE[error.code], message: error.message } : undefined;
}
