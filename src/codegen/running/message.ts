/** Requests and responses as they are sent, as plain data, and the places of a contract that describe them. */

import type { Json } from 'concordat';

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

/** The place of a part of a contract. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** JSON Pointer into the contract as one document, or the schema coordinate of GraphQL (`Query.user`). */
  readonly pointer: string;
}
