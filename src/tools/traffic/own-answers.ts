/** Answers of the proxy itself, in place of the server. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpResponse, Problem, problemResponse } from '@concordat/runtime';

/** The time in milliseconds for a client to send the rest of a body that nothing reads any more. */
const FAREWELL = 1000;

/** Answers with what went wrong. An error without a status is that of a request which Node cannot write. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const problem = error instanceof Problem ? error : new Problem(400, 'The request cannot be passed on');
  answerWith(request, response, problemResponse(problem));
}

/** Answers in place of the server. */
export function answerWith(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
): void {
  const text = typeof body === 'string' ? body : '';
  // A client that waits for 100 Continue may send the next request instead of the body.
  if (!request.complete && request.headers.expect !== undefined) response.shouldKeepAlive = false;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
  discardRest(request);
}

/** Reads what is left of a body for a moment, so that its client reads the answer. */
export function discardRest(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  if (request.complete) return;
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, FAREWELL).unref();
}
