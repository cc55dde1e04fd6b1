/** Copies the bytes that pass through the messages of `node:http`, and changes none. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodySample, HeaderValue } from './body-sample.js';
import type { Sent } from './observed-operation.js';

/** A method that is replaced; the types of Node have several signatures. */
type Method = (...parameters: readonly unknown[]) => unknown;

/** Copies the body of a request as it arrives, before a parser reads it. */
export function tapRequest(incoming: IncomingMessage, sample: BodySample): void {
  const target = incoming as unknown as { push: Method };
  const { push } = target;
  target.push = (...parameters) => {
    copy(sample, parameters);
    return Reflect.apply(push, incoming, parameters);
  };
}

/** Whether a part of the body arrived before it could be copied. */
export function hasStarted(incoming: IncomingMessage): boolean {
  return incoming.readableDidRead || incoming.readableLength > 0 || incoming.readableEnded;
}

/** Gets the parts of a response. */
export interface ResponseTap {
  /** Undefined if the body is not copied. */
  readonly response: BodySample | undefined;
  /** The server writes a piece, and more will follow. */
  begun(): void;
  /** The server has ended the response. */
  ended(): void;
}

/** Copies the body of a response as the server writes it, after any compression. */
export function tapResponse(outgoing: ServerResponse, tap: ResponseTap): void {
  const target = outgoing as unknown as { write: Method; end: Method };
  const { write, end } = target;
  const { response } = tap;
  let isEnding = false;
  if (response !== undefined) {
    target.write = (...parameters) => {
      // The `end` of HTTP/2 calls `write`.
      if (!isEnding) {
        tap.begun();
        copy(response, parameters);
      }
      return Reflect.apply(write, outgoing, parameters);
    };
  }
  target.end = (...parameters) => {
    if (isEnding) return Reflect.apply(end, outgoing, parameters);
    isEnding = true;
    const result = Reflect.apply(end, outgoing, parameters);
    if (response !== undefined) copy(response, parameters);
    tap.ended();
    return result;
  };
}

function copy(sample: BodySample, [chunk, encoding]: readonly unknown[]): void {
  if (chunk instanceof Uint8Array) sample.add(chunk);
  if (typeof chunk !== 'string') return;
  const isUtf8 = typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);
  sample.add(isUtf8 ? chunk : Buffer.from(chunk, encoding as BufferEncoding));
}

/** The head of a response that was sent, also with the headers that Node adds. */
export class SentHead implements Sent {
  #all: Readonly<Record<string, HeaderValue>> | undefined;
  #hasSet: boolean | undefined;

  constructor(private readonly outgoing: ServerResponse) {}

  get status(): number {
    return this.outgoing.statusCode;
  }

  header(name: string): HeaderValue {
    const value = this.outgoing.getHeader(name);
    if (value !== undefined) {
      this.#hasSet = true;
      return value;
    }
    // Reading the whole head takes longer than the check of a small body.
    this.#hasSet ??= this.outgoing.getHeaderNames().length > 0;
    return this.#hasSet && !ADDED.has(name) ? undefined : this.headers()[name];
  }

  headers(): Readonly<Record<string, HeaderValue>> {
    return (this.#all ??= headersOf(this.outgoing));
  }
}

/** The headers that Node adds itself. */
const ADDED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

function headersOf(outgoing: ServerResponse): Readonly<Record<string, HeaderValue>> {
  // Headers that are passed to `writeHead` alone, and those that Node adds, are only in this text, which HTTP/2 does not have.
  const { _header: head } = outgoing as { readonly _header?: unknown };
  if (typeof head !== 'string') return outgoing.getHeaders();
  const headers = Object.create(null) as Record<string, string | string[]>;
  for (const line of head.split('\r\n').slice(1, -2)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}
