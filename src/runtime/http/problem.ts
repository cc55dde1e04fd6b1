/** The error for a faulty request, with a status and a sentence for the client. */

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
