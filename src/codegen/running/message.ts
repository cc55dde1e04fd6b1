/** Requests and responses as they are sent, as plain data. */

import type { Json } from 'concordat';

/** A request as it is sent. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SentResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, Json>>;
  /** Absent for a response without a body. */
  readonly contentType?: string;
  readonly body?: Json;
}
