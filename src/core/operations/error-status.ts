/** Maps every error code of the core to an HTTP status, in one total table. */

import { Problem } from 'concordat';
import { type ErrorCode, type InputPart, ServiceError } from '../model/error.js';

const STATUS = {
  'invalid-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'precondition-failed': 412,
  'key-reused': 422,
  'limit-exceeded': 400,
  'too-many-requests': 429,
  unavailable: 503,
  'storage-full': 503,
  'outcome-unknown': 500,
  'not-implemented': 501,
} as const satisfies Record<ErrorCode, number>;

/** The contract's checks name places from the request down: `body/email`. */
const PLACES = { fields: 'body/', paging: 'query/' } as const satisfies Record<InputPart, string>;

/** The problem for an error of the core; undefined for any other error, which is masked. */
export function explainServiceError(error: unknown): Problem | undefined {
  return error instanceof ServiceError ? problemOf(error) : undefined;
}

/** The problem for an error of the core. */
export function problemOf(error: ServiceError): Problem {
  const place = error.part && PLACES[error.part];
  return new Problem(STATUS[error.code], `${place ?? ''}${error.message}`, headersOf(error));
}

/** Most outages are short, and a client that waits this long does not prolong them. */
const outageSeconds = 2;

function headersOf({ code, retryAfterSeconds }: ServiceError): Readonly<Record<string, string>> {
  // Every 401 says how to authenticate (RFC 9110 §15.5.2).
  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };
  const seconds = retryAfterSeconds ?? (STATUS[code] === 503 ? outageSeconds : undefined);
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}
