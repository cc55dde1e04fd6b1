/** Base classes for values that hold credentials, such as requests: no way of printing them shows a credential. */

import type { HttpRequest, RequestHeaders } from './message.js';

/** The method that Node's `util.inspect` calls; `console` and many loggers print values with it. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A value that holds secrets. Subclasses keep them in private fields, which no logger sees: neither one that calls no method of
 * the value, such as `console.dir`, nor one that copies properties.
 */
export abstract class Printable {
  /** The printed form, also for `JSON.stringify` and for loggers that write JSON. */
  abstract toJSON(): object;

  [INSPECT](): object {
    return this.toJSON();
  }
}

/** The maximum length of a printed id; proxies do not send longer ones. */
const LONGEST_ID = 128;

/** The id of a request, which links its lines in a log; no other header is printed. */
export function printedId(headers: RequestHeaders = {}): { readonly id?: string } {
  const { 'x-request-id': id } = headers;
  return typeof id === 'string' && id.length <= LONGEST_ID ? { id } : {};
}

/** The base of every request. The query is not printed, because it may have tokens. */
export abstract class PrintableRequest<Host> extends Printable implements HttpRequest<Host> {
  abstract readonly method: string;
  abstract readonly path: string;
  abstract readonly query: string;
  abstract readonly headers: RequestHeaders;
  abstract readonly host: Host;
  abstract readonly address?: string | undefined;
  abstract readonly body: AsyncIterable<Uint8Array>;
  abstract readonly signal: AbortSignal;
  abstract readBody(limit: number): Promise<Uint8Array>;

  override toJSON(): object {
    return { method: this.method, path: this.path, ...printedId(this.headers) };
  }
}
