/** A fault of a request, in words for its client. */

/** One thing that is wrong with a request. Only names and rules of the contract are told, never a value of the request. */
export interface ProblemFailure {
  /**
   * JSON Pointer (RFC 6901) into the request, whose members are `path`, `query`, `headers`, `cookies` and `body`:
   * `/body/email`. For a property that is missing it is the place where the property would be.
   */
  readonly pointer: string;
  /** The keyword of JSON Schema that the value does not fit: `required`, `maxLength`; `type` for a text of another type. */
  readonly keyword: string;
  /** One sentence: `body/email must match format "email"`. */
  readonly detail: string;
}

/** A failure with a status and one public sentence; everything else that is thrown is masked as a 500. */
export class Problem extends Error {
  override readonly name = 'Problem';

  /**
   * @param status - the HTTP status, 400 or above
   * @param message - one sentence that a person can act on; it is sent to the client
   * @param headers - headers that the status asks for, such as `Allow` or `WWW-Authenticate`
   * @param failures - for a request that does not fit the contract: what is wrong with it; the first is the message
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
