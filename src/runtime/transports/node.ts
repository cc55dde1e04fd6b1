/** Puts a handler behind `node:http`, and behind every server that uses its types, such as Express. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type HttpHandler, type HttpResponse, discardBody, isStreamed } from '../http/message.js';
import { type TransportOptions, compilePathChoice } from '../http/path-choice.js';
import { Problem } from '../http/problem.js';
import { joinVary } from '../http/vary.js';
import { BodyStream, breakOffOn } from './node/body-stream.js';
import { NodeRequest } from './node/node-request.js';

export { saveBody } from './node/save-body.js';

export interface NodeTransportOptions extends TransportOptions {
  /** Called with errors that a handler throws, or that break a streamed body off; they go to the console unless given. */
  readonly report?: (error: unknown) => void;
}

/** A listener of `node:http`, and middleware of Express and similar frameworks. */
export type NodeListener = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * A listener that answers every request with the handler. As middleware, with a `next`, it passes on the paths that the
 * handler does not have (unless `unknownPaths` is `answer`) and the errors that the handler throws.
 *
 * A body that a parser in front has read already is taken from `incoming.body`.
 *
 * @example
 * ```ts
 * createServer(nodeTransport(engine)).listen(3000);
 * express().use(express.json(), nodeTransport(engine)).listen(3001);
 * ```
 */
export function nodeTransport(handler: HttpHandler, options: NodeTransportOptions = {}): NodeListener {
  const { unknownPaths, report = console.error } = options;
  const chooseAll = compilePathChoice(handler, { ...options, unknownPaths: 'answer' });
  const chooseKnown = compilePathChoice(handler, { ...options, unknownPaths: 'next' });

  return (incoming, outgoing, next) => {
    const choose = next === undefined || unknownPaths === 'answer' ? chooseAll : chooseKnown;
    const path = choose(pathOf(incoming.url ?? ''));
    if (path === undefined) {
      if (next === undefined) writeResponse(outgoing, 'GET', { status: 404, headers: {} }, report);
      else next();
      return;
    }
    const fail = (error: unknown): void => {
      if (next !== undefined) next(error);
      else {
        report(error);
        if (outgoing.headersSent) outgoing.destroy();
        else writeResponse(outgoing, 'GET', { status: 500, headers: {} }, report);
      }
    };
    try {
      const request = new NodeRequest(incoming, outgoing, path);
      const response = handler(request);
      if (response instanceof Promise) {
        response.then((settled) => {
          writeResponse(outgoing, request.method, settled, report);
        }).catch(fail); // prettier-ignore
      } else writeResponse(outgoing, request.method, response, report);
    } catch (error) {
      fail(error);
    }
  };
}

/** In a request to a proxy the target is a whole URL (RFC 9112 §3.2.2); other targets match no path. */
function pathOf(target: string): string {
  if (!target.startsWith('/') && URL.canParse(target)) return new URL(target).pathname;
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

const WITHOUT_LENGTH = new Set([204, 304]);

function writeResponse(
  outgoing: ServerResponse,
  method: string,
  response: HttpResponse,
  report: (error: unknown) => void,
): void {
  const { status, headers, body } = response;
  outgoing.statusCode = status;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    // Middleware in front, such as CORS, may have set `Vary` already.
    const others = name === 'Vary' ? outgoing.getHeader(name) : undefined;
    outgoing.setHeader(name, others === undefined ? value : joinVary(String(others), value));
  }
  if (isStreamed(body)) {
    // From Node 24 on, a pipeline to a closed connection neither starts nor ends.
    if (method === 'HEAD' || WITHOUT_LENGTH.has(status) || outgoing.destroyed) {
      discardBody(response);
      outgoing.end();
    } else writeStream(outgoing, body, response.signal, report);
    return;
  }
  if (WITHOUT_LENGTH.has(status)) {
    outgoing.end();
    return;
  }
  outgoing.setHeader('Content-Length', body === undefined ? 0 : Buffer.byteLength(body));
  // Node would drop the body of an answer to HEAD in any case.
  outgoing.end(method === 'HEAD' ? undefined : body);
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
