/** What is recorded of an exchange that has ended. */

import type { MessageHead } from '../../traffic/message-reader.js';

/** A body is without its content coding, and undefined if it was too large or could not be read. */
export interface Exchange {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly target: string;
  readonly requestHeaders: MessageHead['headers'];
  readonly requestBody: Uint8Array | undefined;
  readonly status: number;
  readonly responseHeaders: MessageHead['headers'];
  readonly responseBody: Uint8Array | undefined;
  /** The address of the client. */
  readonly address?: string;
}
