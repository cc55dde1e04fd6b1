/** The error for a faulty request, with a status and a sentence for the client, and its format in responses. */

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
}

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
    // For an unregistered status, the phrase of its class (RFC 9110 §15).
    title: PHRASES[status] ?? PHRASES[status < 500 ? 400 : 500] ?? '',
    status,
    detail: message,
    ...(failures.length > 0 && { errors: failures }),
  }),
};

/** The problem that masks an unexpected error. */
export function internalError(): Problem {
  return new Problem(500, 'Internal server error');
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
