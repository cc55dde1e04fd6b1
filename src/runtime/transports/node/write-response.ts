/** Writes responses to `node:http`, and to a connection for which Node provides no response object. */

import { type OutgoingHttpHeader, ServerResponse, STATUS_CODES } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { declaredLength, isFraming, joinVary, ofLength } from '../../http/response-writers.js';
import { discardBody, type HttpResponse, isStreamed, type PushedContent } from '../../http/message.js';
import { Problem } from '../../http/problem.js';
import { BodyStream, breakOffOn } from './body-stream.js';

const WITHOUT_LENGTH = new Set([204, 304]);

/**
 * Writes the response of a handler, unless the client has disconnected. Headers that were already set on `outgoing` are kept, unless the response has them; cookies
 * are added to those that were set.
 *
 * @param method - the method of the request: the response to HEAD has no body
 * @param report - called with an error that breaks off a streamed body
 * @param others - additional headers, as alternating names and values, spelled like those of the response. The response's headers
 *   override them; `Vary` is joined. The list is changed.
 */
export function writeResponse(
  outgoing: ServerResponse,
  method: string,
  response: HttpResponse,
  report: (error: unknown) => void,
  others: OutgoingHttpHeader[] = [],
): void {
  const { status, body } = response;
  // With a head, logs would show a status that was never sent. From Node 24 on, a pipeline to a closed connection does not even end.
  if (outgoing.destroyed || outgoing.socket?.destroyed === true) {
    discardBody(response);
    return;
  }
  const given = declaredLength(response, method);
  if (isStreamed(body)) {
    writeHead(outgoing, response, others, given);
    if (method === 'HEAD' || WITHOUT_LENGTH.has(status)) {
      discardBody(response);
      outgoing.end();
    } else {
      writeStream(outgoing, given === undefined ? body : ofLength(body, given), response, report);
    }
    return;
  }
  if (WITHOUT_LENGTH.has(status)) {
    writeHead(outgoing, response, others, given);
    outgoing.end();
    return;
  }
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  writeHead(outgoing, response, others, given ?? length);
  if (method === 'HEAD' || body === undefined) outgoing.end();
  else endWith(outgoing, body, body.length === length);
}

/** Writes headers as one flat list, which Node writes unchanged: this costs half as much as setting them one by one. */
function writeHead(
  outgoing: ServerResponse,
  { status, headers }: HttpResponse,
  list: OutgoingHttpHeader[],
  length?: number,
): void {
  const others = list.length;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || isFraming(name)) continue;
    let at = 0;
    while (at < others && list[at] !== name) at += 2;
    if (at < others) list[at + 1] = addedTo(list[at + 1], name, value);
    else list.push(name, addedTo(undefined, name, value));
  }
  if (length !== undefined) list.push('Content-Length', length);
  if (outgoing.getHeaderNames().length === 0) {
    outgoing.writeHead(status, list);
    return;
  }
  outgoing.statusCode = status;
  for (let index = 0; index < list.length; index += 2) {
    addHeader(outgoing, String(list[index]), list[index + 1] ?? '');
  }
}

/** Adds a header to those that middleware in front has set, such as `Vary` for CORS. */
export function addHeader(
  outgoing: ServerResponse,
  name: string,
  value: OutgoingHttpHeader | readonly string[],
): void {
  outgoing.setHeader(name, addedTo(outgoing.getHeader(name), name, value));
}

/** The value of a header that may already be set: `Vary` and cookies are joined, any other value is replaced. */
function addedTo(
  set: OutgoingHttpHeader | undefined,
  name: string,
  value: OutgoingHttpHeader | readonly string[],
): OutgoingHttpHeader {
  if (set !== undefined && name === 'Vary') return joinVary(String(set), String(value));
  if (set !== undefined && name.toLowerCase() === 'set-cookie') return [set, value].flat().map(String);
  // A copy of a list, because others may extend it, as Koa does with cookies.
  return typeof value === 'object' ? [...value] : value;
}

/**
 * Ends a response in one write to the kernel. `end(body)` alone makes two pieces, the second of which is empty: with it, a short
 * response takes 9 % more CPU time on Node 20, and 3 % on Node 24.
 *
 * @param isAscii - whether a text has one byte per character: Node copies it faster as Latin-1
 */
function endWith(outgoing: ServerResponse, body: string | Uint8Array, isAscii: boolean): void {
  const { socket } = outgoing;
  // A response without a socket waits for an earlier one on its connection (pipelining).
  if (socket === null || body.length === 0) {
    outgoing.end(body);
    return;
  }
  socket.cork();
  if (typeof body === 'string' && isAscii) outgoing.write(body, 'latin1');
  else outgoing.write(body);
  socket.uncork();
  outgoing.end();
}

type End = (this: ServerResponse, ...parameters: readonly unknown[]) => ServerResponse;

/** Typed with one signature, because the type of `end` has several overloads. */
const prototype = ServerResponse.prototype as { readonly end: End };

/**
 * Makes a response end in one write when a framework or its middleware ends it with a whole body. Without it, a list of 30 kB behind Koa
 * takes 8 % more CPU time on Node 20; a short response, as much.
 */
export function endInOneWrite(outgoing: ServerResponse): void {
  // A function that middleware has set here is kept.
  if (outgoing.end === prototype.end) outgoing.end = endWhole;
}

function endWhole(this: ServerResponse, ...parameters: readonly unknown[]): ServerResponse {
  this.end = prototype.end;
  const [body] = parameters;
  if (parameters.length === 1 && (typeof body === 'string' || body instanceof Uint8Array)) {
    // Without a Content-Length, a body that is not passed to `end` would be chunked.
    if (this.hasHeader('Content-Length') && !this.headersSent) {
      endWith(this, body, false);
      return this;
    }
  }
  return prototype.end.call(this, ...parameters);
}

function writeStream(
  outgoing: ServerResponse,
  body: AsyncIterable<Uint8Array>,
  response: HttpResponse,
  report: (error: unknown) => void,
): void {
  outgoing.flushHeaders();
  if ('forEach' in body) {
    writePushed(outgoing, body as PushedContent, report);
    return;
  }
  breakOffOn(response.signal, outgoing);
  pipeline(new BodyStream(body), outgoing, (error) => {
    // It is not a failure when the client disconnects or the handler aborts its signal. A Problem is the client's fault: the handler
    // was reading a body that does not fit while it answered.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && !(error instanceof Problem)) report(error);
  });
}

/** The time in milliseconds for a client to read the end of a pushed body. */
const PUSHED_FAREWELL = 5000;

/**
 * Writes each piece as it is pushed. A body that is pushed knows how long its clients may take, so the server's own limit, which is a
 * timer per write, is switched off.
 */
function writePushed(outgoing: ServerResponse, body: PushedContent, report: (error: unknown) => void): void {
  outgoing.socket?.setTimeout(0);
  let resume = (): void => undefined;
  // A connection that breaks is no failure, but an `error` event without a listener would end the process.
  outgoing
    .on('error', () => undefined)
    .once('close', () => {
      resume();
      discardBody({ status: 200, headers: {}, body });
    });
  const take = (piece: Uint8Array): Promise<unknown> | undefined => {
    if (outgoing.destroyed || outgoing.write(piece)) return undefined;
    return new Promise<void>((resolve) => {
      resume = resolve;
      outgoing.once('drain', resolve);
    });
  };
  body.forEach(take).then(
    () => {
      outgoing.end();
      setTimeout(() => outgoing.destroy(), PUSHED_FAREWELL).unref();
    },
    (error: unknown) => {
      report(error);
      outgoing.destroy();
    },
  );
}

/** The time in milliseconds for a client to read the last response and close its side. */
const FAREWELL = 1000;

/** Ends the connection with a response. A streamed body is left out. */
export function writeToSocket(socket: Duplex, { status, headers, body = '' }: HttpResponse): void {
  const content = isStreamed(body) ? '' : body;
  const fields = {
    Date: new Date().toUTCString(),
    ...headers,
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(content)),
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}`),
  );
  socket.write([`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n'));
  if (content.length > 0) socket.write(content);
  leaveSocket(socket);
}

/**
 * Closes a connection when all data is sent. Destroying it at once, with unread bytes of a request, would reset it and lose the
 * response. A timer destroys it, because a client that does not close its side would keep it open for ever.
 */
export function leaveSocket(socket: Duplex): void {
  // The server may no longer handle errors of the socket; without a listener, they would end the process.
  socket.on('error', () => undefined).end();
  setTimeout(() => socket.destroy(), FAREWELL).unref();
}
