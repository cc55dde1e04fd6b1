/** The type of a transport's checks, which are data that any test runner can run, and helpers to write them. */

import type { HttpHandler, HttpRequest, HttpResponse } from '../http/message.js';

/** A server that runs a handler behind the transport. */
export interface ServedHandler {
  /** For example `http://127.0.0.1:3000`. */
  readonly url: string;
  close(): Promise<unknown>;
}

/** Serves a handler through the transport, with a server on a separate port. */
export type Serve = (handler: HttpHandler) => Promise<ServedHandler>;

/** One rule for transports, and its test. */
export interface TransportCheck {
  /** Never changes and is never reused for another check, so that reports can be compared over time. */
  readonly id: string;
  /** `MUST`: handlers rely on it. `SHOULD`: handlers work without it, but clients are worse off. */
  readonly level: 'MUST' | 'SHOULD';
  /** The rule, as a sentence about the transport. */
  readonly name: string;
  /** @throws AssertionError when the transport breaks the rule */
  readonly run: (serve: Serve) => Promise<void>;
}

/** A rule that handlers rely on. */
export function must(id: string, name: string, run: TransportCheck['run']): TransportCheck {
  return { id, level: 'MUST', name, run };
}

/** How long a check waits for a transport that never ends a request or a response, in milliseconds. */
const DEADLINE = 5000;

/**
 * Serves a handler while a test sends requests to it.
 *
 * @throws an error when the test has not ended after five seconds; otherwise its requests could wait for ever
 */
export async function serving(
  serve: Serve,
  handler: HttpHandler,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const server = await serve(handler);
  try {
    await within(DEADLINE, 'the end of the check', test(server.url));
  } finally {
    await server.close();
  }
}

/** Answers each request of a test with one response, which has the status 200 unless it gives another. */
export function answering(
  serve: Serve,
  response: Partial<HttpResponse>,
  test: (url: string) => Promise<void>,
): Promise<void> {
  return serving(serve, () => ({ ...OK, ...response }), test);
}

export const OK: HttpResponse = { status: 200, headers: {} };

/** A handler that records its requests. */
export function recording(response: HttpResponse = OK): HttpHandler & { readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const handle = (request: HttpRequest): HttpResponse => {
    requests.push(request);
    return response;
  };
  return Object.assign(handle, { requests });
}

/** @param what - the expected event, for the message @throws when the promise does not settle within a second */
export function soon<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  return within(1000, what, promise);
}

async function within<Value>(milliseconds: number, what: string, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `${what} did not happen within ${String(milliseconds / 1000)} s`;
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A promise, and the function that resolves it. */
export function deferred<Value = void>(): {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
} {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolvePromise) => (resolve = resolvePromise));
  return { promise, resolve };
}
