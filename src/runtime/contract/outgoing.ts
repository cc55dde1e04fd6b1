/** The shape of the requests that a service sends itself: the data of `generated/outgoing.ts`, for webhooks and callbacks. */

import type { BodyCodec, Check, Method, ParameterCodec, RequestBodyContract } from './contract.js';

/** The types of one request and of its declared answers. */
export interface Exchange {
  readonly request: object;
  readonly answer: object;
}

/** Requests by name. `Exchanges` is the generated type `Webhooks` or `Callbacks`. */
export interface OutgoingContract<Exchanges extends Readonly<Record<keyof Exchanges, Exchange>>> {
  /** For the compiler only: it is always absent at run time. */
  readonly exchanges?: Exchanges;
  readonly requests: Readonly<Record<keyof Exchanges & string, OutgoingRequest>>;
}

/** One request that the service sends. */
export interface OutgoingRequest {
  readonly method: Method;
  /** Callbacks only: the runtime expression of the address (OpenAPI Callback Object). */
  readonly url?: string;
  readonly parameters?: readonly ParameterCodec[];
  /** Checks `{ query, headers, cookies }`. */
  readonly checkParameters?: Check;
  readonly requestBody?: RequestBodyContract;
  /** By status (`200`), range (`4XX`) or `default`. */
  readonly answers: Readonly<Record<string, OutgoingAnswer>>;
}

/** One status that the receiver may answer. */
export interface OutgoingAnswer {
  /** By media type or range, most specific first; absent when the answer has no body. */
  readonly content?: Readonly<Record<string, BodyCodec>>;
  readonly headers?: readonly ParameterCodec[];
  /** Checks `{ headers }`. */
  readonly checkHeaders?: Check;
}
