/** Values that hold credentials, such as requests, and what is printed of them in whatever way: never a credential. */

import type { HttpRequest, RequestHeaders } from './message.js';

/** Looked up by Node's `util.inspect`, with which `console` and many loggers write values. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * The base of such values. Their classes keep what is secret in private fields, which no logger sees: neither one that does not ask
 * a value how it is printed, as `console.dir`, nor one that copies properties.
 */
export abstract class Printable {
  /** What is printed: for `JSON.stringify`, and for loggers that write JSON. */
  abstract toJSON(): object;

  [INSPECT](): object {
    return this.toJSON();
  }
}

/** A longer id is not one that a proxy gives. */
const LONGEST_ID = 128;

/** The id of a request, by which its other lines in a log are found; no other header is printed. */
export function printedId(headers: RequestHeaders = {}): { readonly id?: string } {
  const { 'x-request-id': id } = headers;
  return typeof id === 'string' && id.length <= LONGEST_ID ? { id } : {};
}

/** The base of every request. Its query is not printed: it may have tokens. */
export abstract class PrintableRequest extends Printable implements HttpRequest {
  abstract readonly method: string;
  abstract readonly path: string;
  abstract readonly query: string;
  abstract readonly headers: RequestHeaders;
  abstract readonly address?: string | undefined;
  abstract readonly body: AsyncIterable<Uint8Array>;
  abstract readonly signal: AbortSignal;
  abstract readBody(limit: number): Promise<Uint8Array>;

  override toJSON(): object {
    return { method: this.method, path: this.path, ...printedId(this.headers) };
  }
}
