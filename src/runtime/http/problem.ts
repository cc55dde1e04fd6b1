/** The error for a faulty request, with a status and a sentence for the client, and its format in responses. */

import type { HttpResponse } from './message.js';

/** One fault of a request. It has only names and rules of the contract, never a value of the request. */
export interface ProblemFailure {
  /**
   * JSON Pointer (RFC 6901) into the request, whose members are `path`, `query`, `headers`, `cookies` and `body`:
   * `/body/email`. For a missing property it is the place where the property would be.
   */
  readonly pointer: string;
  /** The JSON Schema keyword that the value does not fit, such as `maxLength`; `type` for a text that has another type. */
  readonly keyword: string;
  /** One sentence: `body/email must match format "email"`. */
  readonly detail: string;
}

/** The `Retry-After` of an outage, unless it has another one: most outages are short, and a client that waits this long prolongs none. */
export const OUTAGE_SECONDS = 2;

/** A failure with a status and one public sentence; every other error is masked as a 500. */
export class Problem extends Error {
  override readonly name = 'Problem';

  /**
   * @param status - the HTTP status, 400 or above
   * @param message - one sentence that a person can act on; it is sent to the client
   * @param headers - headers that the status requires, such as `Allow` or `WWW-Authenticate`
   * @param failures - the faults of a request that does not fit the contract; the sentence of the first is the message
   */
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly failures: readonly ProblemFailure[] = [],
  ) {
    super(message);
  }

  /** For the error handlers of servers, which know the errors of `http-errors` by these two. */
  get statusCode(): number {
    return this.status;
  }

  /** Whether the message may be sent to the client. */
  get expose(): boolean {
    return true;
  }
}

/** The reasons of responses that refuse a request or mask an error. They are not written, and no part of the response. */
export const refusals = new WeakMap<object, Problem>();

export function tooLarge(limit: number): Problem {
  return new Problem(413, `The body must not be larger than ${String(limit)} bytes`);
}

export function brokenOff(): Problem {
  return new Problem(400, 'The request ended before its body did');
}

/** The media types of problems, and the value that is written. */
export interface ProblemFormat {
  /** The client's `Accept` chooses among these; the first is sent when none fits. */
  readonly mediaTypes: readonly string[];
  /**
   * The value to write, which must fit the contract's schema for the problem's status. `problem.failures` has all faults of the
   * request.
   */
  body(problem: Problem): unknown;
}

/**
 * Problem details (RFC 9457), for services whose contract has no other error shape. For a request that does not fit its contract
 * they also have `errors`, an extension like that in RFC 9457 §3: each fault with its pointer, keyword and sentence.
 */
export const problemDetails: ProblemFormat = {
  mediaTypes: ['application/problem+json'],
  body: ({ status, message, failures }) => ({
    type: 'about:blank',
    title: phraseOf(status),
    status,
    detail: message,
    ...(failures.length > 0 && { errors: failures }),
  }),
};

/**
 * Makes a response from a problem, in the format of {@link problemDetails}. It is for answers that no contract describes.
 *
 * @param problem - its headers are sent too
 * @example
 * ```ts
 * const response = problemResponse(new Problem(503, 'Try again later', { 'Retry-After': '5' }));
 * ```
 */
export function problemResponse(problem: Problem): HttpResponse {
  const { status, headers } = problem;
  return {
    status,
    headers: { ...headers, 'Content-Type': String(problemDetails.mediaTypes[0]) },
    body: JSON.stringify(problemDetails.body(problem)),
  };
}

/** The problem that masks an unexpected error. */
export function internalError(): Problem {
  return new Problem(500, 'Internal server error');
}

/** The parts of the errors of `http-errors` (Koa, Express), Fastify, Hono, Nest, h3 and Boom. */
interface HostError extends Error {
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly getStatus?: () => unknown;
  readonly expose?: unknown;
  readonly headers?: unknown;
  readonly unhandled?: unknown;
  readonly isBoom?: unknown;
  readonly output?: Pick<HostError, 'statusCode' | 'headers'>;
}

const HAND_MADE = new Set(['status', 'statusCode', 'expose', 'headers']);

/**
 * The problem for an error with which the code of a server answers a status, such as that of Koa's `ctx.throw(404, 'no note')`. Its message
 * is public if the error says so; if it does not say, below 500.
 *
 * A status alone does not make such an error, because the errors of HTTP clients have the status of another service. A plain `Error`
 * counts if nothing but a status was added to it.
 */
export function hostProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { expose, unhandled, isBoom, output }: HostError = error;
  const isOfHost =
    typeof expose === 'boolean' ||
    isBoom === true ||
    'getStatus' in error ||
    ('getResponse' in error && 'res' in error) ||
    'unhandled' in error ||
    error.name === 'FastifyError' ||
    (Object.getPrototypeOf(error) === Error.prototype &&
      Object.keys(error).every((key) => HAND_MADE.has(key)));
  const { getStatus } = error as HostError;
  const { status, statusCode = status, headers }: Partial<HostError> = output ?? error;
  const code = typeof getStatus === 'function' ? getStatus.call(error) : statusCode;
  if (!isOfHost || unhandled === true || !Number.isInteger(code)) return undefined;
  const known = Number(code);
  if (known < 400 || known > 599) return undefined;
  const isPublic = typeof expose === 'boolean' ? expose : known < 500;
  const fields = Object.entries(headers ?? {}).filter(([name]) => !/^(?:content|transfer)-/i.test(name));
  return new Problem(
    known,
    (isPublic && error.message) || phraseOf(known),
    Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
  );
}

function phraseOf(status: number): string {
  // For an unregistered status, the phrase of its class (RFC 9110 §15).
  return PHRASES[status] ?? PHRASES[status < 500 ? 400 : 500] ?? '';
}

/**
 * The reason phrases of the error statuses in the IANA registry (RFC 9110 §15 and others). Problem details of the type
 * `about:blank` use them as titles (RFC 9457 §4.2.1).
 */
const PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  511: 'Network Authentication Required',
};
