/** A fault of a request, in words for its client. */

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

export function tooLarge(limit: number): Problem {
  return new Problem(413, `The body must not be larger than ${String(limit)} bytes`);
}

export function brokenOff(): Problem {
  return new Problem(400, 'The request ended before its body did');
}
