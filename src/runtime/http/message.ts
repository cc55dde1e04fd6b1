/** A request and a response as plain data: all that a transport has to translate from and to. */

/** One HTTP request, as a transport hands it to an engine. */
export interface RestRequest {
  /** Upper-case. */
  readonly method: string;
  /** As it was sent: percent-encoded, without the query. */
  readonly path: string;
  /** As it was sent, without the `?`; empty when there is none. */
  readonly query: string;
  /** Names in lower case; a header that came several times is a list or joined with commas, as the transport has it. */
  readonly headers: RequestHeaders;
  /** The client's address, where the transport knows it: behind a proxy, what a proxy that is trusted says. */
  readonly address?: string | undefined;
  /**
   * Reads the whole body. Called at most once, and only for an operation that takes a body.
   *
   * @param limit - the most bytes to read; past it the reading stops and the promise rejects with a 413 `Problem`
   */
  readBody(limit: number): Promise<Uint8Array>;
}

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One HTTP response, ready to be written. */
export interface RestResponse {
  readonly status: number;
  /** A list is a header that is sent once an entry, such as `Set-Cookie`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Absent for a response without content. A transport leaves it out for HEAD. */
  readonly body?: string | Uint8Array;
}
