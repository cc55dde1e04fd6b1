/** What goes wrong with a request, and how a client is told. */

/** A failure with a status and one public sentence; everything else that is thrown is masked as a 500. */
export class Problem extends Error {
  override readonly name = 'Problem';

  /**
   * @param status - the HTTP status, 400 or above
   * @param message - one sentence that a person can act on; it is sent to the client
   * @param headers - headers that the status asks for, such as `Allow` or `WWW-Authenticate`
   */
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** How problems are written: in which media types, and as what value. */
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

/** What a client learns of an error that nobody foresaw. */
export function internalError(): Problem {
  return new Problem(500, 'Internal server error');
}
