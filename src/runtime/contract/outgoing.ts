/** The shape of the requests that a service sends: the data of `generated/outgoing.ts`, for webhooks and callbacks. */

import type { BodyCodec, Check, Convert, Method, ParameterCodec, RequestBodyContract } from './contract.js';

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
  /** Converts `{ query, headers, cookies }` to their JSON form. */
  readonly encodeParameters?: Convert;
  readonly requestBody?: OutgoingBody;
  /** By status (`200`), range (`4XX`) or `default`. */
  readonly answers: Readonly<Record<string, OutgoingAnswer>>;
}

/** The body of an outgoing request; `encode` of a media type converts a value to its JSON form. */
export type OutgoingBody = Pick<RequestBodyContract, 'required' | 'content'>;

/** The answer that the contract declares for one status. */
export interface OutgoingAnswer {
  /** By media type or range, most specific first; absent when the answer has no body. */
  readonly content?: Readonly<Record<string, BodyCodec>>;
  /** Whether conversions need the exact digits of integers beyond 2^53. */
  readonly exact?: true;
  readonly headers?: readonly ParameterCodec[];
  /** Checks `{ headers }`. */
  readonly checkHeaders?: Check;
  /** Converts `{ headers }` to the form that the caller gets. */
  readonly decodeHeaders?: Convert;
}
