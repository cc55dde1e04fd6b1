/** The errors of the core for its callers: one closed union of codes, and one class that carries them. */

/**
 * The kinds of errors, independent of any protocol, each with its meaning. Each protocol maps every code in one total table
 * (`satisfies Record<ErrorCode, …>`), so that a new code does not compile until every protocol handles it.
 */
export const ERROR_CODES = {
  'invalid-input': 'the input breaks a stated rule; the message names the place',
  unauthenticated: 'the operation needs a caller and has none',
  forbidden: 'the caller is known and may not do this',
  'not-found': 'the record does not exist, or the caller may not know of it',
  conflict: 'the request is valid, but the stored data do not allow it',
  'key-reused': 'the idempotency key of the caller was used for another request',
  'precondition-failed': 'the caller asked for a write on a version that is no longer the stored one',
  'limit-exceeded': 'the answer would be larger than the service allows',
  'too-many-requests': 'the caller has tried too often; `retryAfterSeconds` is the time to wait',
  unavailable: 'a dependency of the service does not answer now; nothing was stored',
  'outcome-unknown':
    'the connection to the store broke during a write: it is not known whether anything was stored',
  'storage-full': 'the store has no room for a write; nothing was stored, and reads work',
  'not-implemented': 'this deployment lacks a component that the request needs',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Where a server of the deployment listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Adds the address of the server to its error, for the log: the errors of servers and timeouts do not name it. The first one stays. */
export function withAddress(error: unknown, server: ServerAddress | undefined): unknown {
  if (!(error instanceof Error) || ('host' in error && 'port' in error)) return error;
  return Object.assign(error, server);
}

/** The fields of a record, or the arguments that choose a page. */
export type InputPart = 'fields' | 'paging';

/** An error whose message may be shown to the caller. Any other error is a fault of the service, and its message is masked. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** For the log only; never part of an answer. */
  readonly detail: string | undefined;
  /** With `invalid-input`: the part of the input that the message is about. REST has fields in the body, paging in the query. */
  readonly part: InputPart | undefined;
  /** With `too-many-requests`, `unavailable` and `storage-full`: whole seconds to wait before the next request, at least 1. */
  readonly retryAfterSeconds: number | undefined;

  /**
   * @param code the kind of error
   * @param message one sentence that a person can act on, shown to the caller
   * @param options `detail` for the log, the original error as `cause`, the part of the input, and how long to wait
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: { detail?: string; cause?: unknown; part?: InputPart; retryAfterSeconds?: number } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.detail = options.detail;
    this.part = options.part;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The codes of requests that were right, and that the deployment could not carry out: their causes concern its operator. */
const outages: ReadonlySet<ErrorCode> = new Set(['unavailable', 'outcome-unknown', 'storage-full']);

/** Whether an error is reported to the operator, although its message is shown to the caller: if the message is not all there is to know. */
export function isOutage({ code, cause, detail }: ServiceError): boolean {
  return outages.has(code) && (cause !== undefined || detail !== undefined);
}

/**
 * The error for input that breaks a rule.
 *
 * @param place where in the input, as a path of names and positions: `email`, `items/0/quantity`
 * @param rule what the place must be, starting with "must" or "is"
 */
export function invalidInput(place: string, rule: string, part: InputPart = 'fields'): ServiceError {
  return new ServiceError('invalid-input', `${place} ${rule}`, { part });
}

/** The error for a record that does not exist, or that the caller may not know of: `User not found`. */
export function notFound(what: string): ServiceError {
  return new ServiceError('not-found', `${what} not found`);
}

/**
 * The error for a caller that has tried too often.
 *
 * @param what the excess, which begins the message: `Too many failed sign-ins`
 * @param seconds how long to wait, at least 1
 */
export function tooManyRequests(what: string, seconds: number): ServiceError {
  const wait = `${String(seconds)} second${seconds === 1 ? '' : 's'}`;
  return new ServiceError('too-many-requests', `${what}: try again in ${wait}`, {
    retryAfterSeconds: seconds,
  });
}

/** The error for a request that the stored data do not allow. */
export function conflict(message: string): ServiceError {
  return new ServiceError('conflict', message);
}
