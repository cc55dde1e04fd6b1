/** The types of requests, responses and handlers, to and from which each transport translates, and base classes for values with credentials: no way of printing them shows one. */

/**
 * Answers requests. A REST engine, GraphQL, pages and probes are handlers, and every transport accepts any handler.
 *
 * `Host` is the request context that the handler needs, such as Koa's `Context`. A handler that needs none runs behind every
 * transport; any other only behind a transport that provides its host.
 *
 * @example
 * ```ts
 * const hello: HttpHandler = ({ path }) => ({ status: 200, headers: {}, body: `Hello, ${path}` });
 * createServer(nodeTransport(hello)).listen(3000);
 * ```
 */
export interface HttpHandler<Host = unknown> {
  (request: HttpRequest<Host>): HttpResponse | Promise<HttpResponse>;
  /**
   * Whether the handler answers a method on a path, if only with 405; a transport can pass other requests on. A handler without
   * this function answers every request.
   */
  readonly serves?: (method: string, path: string) => boolean;
  /** `next` for a handler that needs another one behind it. Transports without one refuse to start. */
  readonly others?: 'next' | undefined;
}

/** One HTTP request, as a transport passes it to a handler. */
export interface HttpRequest<Host = unknown> {
  /** Upper-case. */
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the `?`; empty when there is none. */
  readonly query: string;
  /** Names in lower case; a repeated header is a list or joined with commas, depending on the transport. */
  readonly headers: RequestHeaders;
  /** The request context of the transport: Koa's context, or the request of Node, Express or Fastify, for example. */
  readonly host: Host;
  /** The client's address, if the transport knows it; behind a trusted proxy, the address that the proxy gives. */
  readonly address?: string | undefined;
  /**
   * The body as it arrives. Reading may stop at any time. When the client disconnects, the next read rejects with a 400
   * `Problem`. A body is read once: either with this or with `readBody`.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads the whole body. @param limit - the maximum in bytes; past it, reading stops and the promise rejects with a 413 `Problem` */
  readBody(limit: number): Promise<Uint8Array>;
  /** Aborts when the client disconnects before it has the whole response. It is created on first use. */
  readonly signal: AbortSignal;
}

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Declares the type of the host that an engine's handlers need.
 *
 * @example
 * ```ts
 * const host = hostType<Context>(); // of koa
 * ```
 */
export function hostType<Host>(): HostType<Host> {
  return {};
}

/** A type, for the compiler only. */
export interface HostType<Host> {
  /** Always absent. */
  readonly host?: Host;
}

/** An option that is required if a handler needs a host, for requests that come from no transport. */
export type HostOption<Host> = unknown extends Host ? { readonly host?: unknown } : { readonly host: Host };

/** One HTTP response, ready to be written. */
export interface HttpResponse {
  readonly status: number;
  /** A list is a header that is sent once per entry, such as `Set-Cookie`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Absent for a response without content. A transport leaves it out for HEAD. */
  readonly body?: ResponseContent;
  /**
   * Aborts to break off a streamed body, also when its client does not read: the transport then destroys the connection. An
   * error that the body throws has the same effect.
   */
  readonly signal?: AbortSignal;
  /** The name of the operation that answered, for logs and metrics: one of a fixed set, never chosen by a client. */
  readonly operation?: string;
  /** The name of the GraphQL operation that ran; the client chose the name. */
  readonly graphqlOperation?: string | undefined;
}

/**
 * The content of a response. A transport pulls a stream: it asks for the next piece when the client has room for it, sends the
 * head before the first piece, and calls the iterator's `return()` when the client disconnects, even before the first piece.
 */
export type ResponseContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * A stream that can also push its pieces: a promise per piece would cost each of many event streams more than the piece does. A
 * transport may use either way, but not both. One that pushes gives the client five seconds to read the end, and leaves it to the
 * stream to end when the client does not read.
 */
export interface PushedContent extends AsyncIterable<Uint8Array> {
  /**
   * Gives every piece to `take`, in order, until `take` returns a promise, which the next piece waits for.
   *
   * @returns a promise of the end
   */
  forEach(take: (piece: Uint8Array) => Promise<unknown> | undefined): Promise<void>;
}

/** A header of a request as one text, in which its lines are joined by commas (RFC 9110 §5.3). What every object inherits is none. */
export function headerText(header: RequestHeaders[string]): string | undefined {
  return Array.isArray(header) ? header.join(', ') : typeof header === 'string' ? header : undefined;
}

/** Whether content comes in pieces. */
export function isStreamed(content: unknown): content is AsyncIterable<Uint8Array> {
  return typeof content === 'object' && content !== null && Symbol.asyncIterator in content;
}

/** Whether a value is a promise of any library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Releases a streamed body that will not be read: for HEAD, and for a client that has disconnected. */
export function discardBody({ body }: HttpResponse): void {
  if (isStreamed(body)) void endOf(body[Symbol.asyncIterator]()).catch(() => undefined);
}

async function endOf(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  await iterator.return?.();
}

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
