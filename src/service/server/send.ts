/** Writes answers, with the headers that every answer has. */

import type { IncomingMessage } from 'node:http';
import type { SecurityScheme } from 'concordat';
import { type SendResponse, sendPastKoa } from 'concordat/koa';

/** The values of headers by name. */
export type FixedHeaders = Readonly<Record<string, string>>;

/**
 * Makes the function that writes answers. It bypasses Koa, because no middleware of the service changes an answer afterwards.
 *
 * @param fixed - headers of every answer; the headers of an answer override them
 * @param report - called with an error that cuts off a streamed answer
 * @param credentials - adds headers to answers that depend on the caller
 */
export function sendWith(
  fixed: FixedHeaders,
  report: (error: unknown) => void,
  credentials?: CredentialHeaders,
): SendResponse {
  const fixedList = Object.entries(fixed).flat();
  return (context, response) => {
    const { req } = context;
    const headers = fixedList.slice();
    headers.push('X-Request-Id', String(req.headers['x-request-id']));
    if (credentials !== undefined) credentials.addTo(headers, req);
    sendPastKoa(context, response, headers, report);
  };
}

/** Prevents caches from giving the answer for one caller to another (RFC 9111 §3 and §4.1). */
export class CredentialHeaders {
  readonly #vary: string;
  /** The names of the request headers that carry credentials. */
  readonly #names: readonly string[];

  /** @param schemes - the security schemes of the contract, which name the headers of credentials */
  constructor(schemes: Readonly<Record<string, SecurityScheme>>) {
    const names = Object.values(schemes).map((scheme) =>
      scheme.type === 'apiKey' ? scheme.name : 'Authorization',
    );
    this.#vary = names.join(', ');
    this.#names = names.map((name) => name.toLowerCase());
  }

  /**
   * Adds the headers. Shared caches must not keep the answer to a request with a credential.
   *
   * @param headers - names and values in turn
   */
  addTo(headers: string[], request: IncomingMessage): void {
    headers.push('Vary', this.#vary);
    if (this.#names.some((name) => request.headers[name] !== undefined)) {
      headers.push('Cache-Control', 'private, no-cache');
    }
  }
}
