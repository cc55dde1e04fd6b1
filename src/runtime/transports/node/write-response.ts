/** Writes the response of a handler to `node:http`. */

import { type OutgoingHttpHeader, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type HttpResponse, discardBody, isStreamed } from '../../http/message.js';
import { Problem } from '../../http/problem.js';
import { joinVary } from '../../http/vary.js';
import { BodyStream, breakOffOn } from './body-stream.js';

const WITHOUT_LENGTH = new Set([204, 304]);

/**
 * @param method - of the request: the response to HEAD has no body
 * @param report - called with an error that breaks off a streamed body
 */
export function writeResponse(
  outgoing: ServerResponse,
  method: string,
  response: HttpResponse,
  report: (error: unknown) => void,
): void {
  const { status, body } = response;
  if (isStreamed(body)) {
    writeHead(outgoing, response);
    // From Node 24 on, a pipeline to a closed connection neither starts nor ends.
    if (method === 'HEAD' || WITHOUT_LENGTH.has(status) || outgoing.destroyed) {
      discardBody(response);
      outgoing.end();
    } else writeStream(outgoing, body, response.signal, report);
    return;
  }
  if (WITHOUT_LENGTH.has(status)) {
    writeHead(outgoing, response);
    outgoing.end();
    return;
  }
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  writeHead(outgoing, response, length);
  if (method === 'HEAD' || body === undefined) outgoing.end();
  else endWith(outgoing, body, length);
}

/** Headers as one flat list, which Node writes as they are, cost half as much as headers that are set one by one. */
function writeHead(outgoing: ServerResponse, { status, headers }: HttpResponse, length?: number): void {
  // Middleware in front may have set headers, such as `Vary` for CORS.
  const hasHeaders = outgoing.getHeaderNames().length > 0;
  const list: OutgoingHttpHeader[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (hasHeaders) addHeader(outgoing, name, value);
    else list.push(name, typeof value === 'string' ? value : [...value]);
  }
  if (length !== undefined) {
    if (hasHeaders) outgoing.setHeader('Content-Length', length);
    else list.push('Content-Length', length);
  }
  if (hasHeaders) outgoing.statusCode = status;
  else outgoing.writeHead(status, list);
}

function addHeader(outgoing: ServerResponse, name: string, value: string | readonly string[]): void {
  const others = name === 'Vary' ? outgoing.getHeader(name) : undefined;
  outgoing.setHeader(name, others === undefined ? value : joinVary(String(others), value));
}

/**
 * Ends a response in one write to the kernel. `end(body)` alone makes two pieces, of which the second is empty: that costs
 * 3 µs more (Node 20), nearly a tenth of what a server of `node:http` takes for a short answer.
 *
 * @param length - of the body in bytes
 */
function endWith(outgoing: ServerResponse, body: string | Uint8Array, length: number): void {
  const { socket } = outgoing;
  // Without a socket the response waits behind another of its connection (pipelining).
  if (socket === null || length === 0) {
    outgoing.end(body);
    return;
  }
  socket.cork();
  // A text with a byte per character is ASCII, which node copies faster as Latin-1.
  if (typeof body === 'string' && body.length === length) outgoing.write(body, 'latin1');
  else outgoing.write(body);
  socket.uncork();
  outgoing.end();
}

type End = (this: ServerResponse, ...parameters: readonly unknown[]) => ServerResponse;

/** Its type has a signature per form. */
const prototype = ServerResponse.prototype as { readonly end: End };

/** Makes a response end in one write when a framework, or middleware of it, ends it with a whole body. */
export function endInOneWrite(outgoing: ServerResponse): void {
  // A function that middleware has put here itself stays.
  if (outgoing.end === prototype.end) outgoing.end = endWhole;
}

function endWhole(this: ServerResponse, ...parameters: readonly unknown[]): ServerResponse {
  const [body] = parameters;
  if (parameters.length === 1 && (typeof body === 'string' || body instanceof Uint8Array)) {
    const length = Number(this.getHeader('Content-Length'));
    if (length > 0 && !this.headersSent) {
      endWith(this, body, length);
      return this;
    }
  }
  return prototype.end.call(this, ...parameters);
}

function writeStream(
  outgoing: ServerResponse,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  report: (error: unknown) => void,
): void {
  breakOffOn(signal, outgoing);
  outgoing.flushHeaders();
  pipeline(new BodyStream(body), outgoing, (error) => {
    // It is not a failure when the client disconnects, or the handler aborts with its signal. A Problem is the client's fault:
    // the body that the handler reads while it answers does not fit.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && !(error instanceof Problem)) report(error);
  });
}
