/** Serves a handler through `node:http`, and through every server that uses its types, such as Express. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHandler } from '../http/message.js';
import { type TransportOptions, compilePathChoice } from '../http/path-choice.js';
import { NodeRequest } from './node/node-request.js';
import { writeResponse } from './node/write-response.js';

export { type ClientErrorOptions, type OwedResponses, answerClientErrors } from './node/client-errors.js';
export { saveBody } from './node/body-stream.js';

export interface NodeTransportOptions extends TransportOptions {
  /** Called with errors that a handler throws or that break off a streamed body; they go to the console unless given. */
  readonly report?: (error: unknown) => void;
}

/** A listener of `node:http`, and middleware of Express and similar frameworks. */
export type NodeListener = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * A listener that answers every request with the handler. As middleware, with a `next`, it passes on requests for paths that the
 * handler does not have (unless `unknownPaths` is `answer`) and errors that the handler throws.
 *
 * If a parser in front has already read the body, it is taken from `incoming.body`.
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

/** In a request to a proxy, the target is a whole URL (RFC 9112 §3.2.2); other targets match no path. */
function pathOf(target: string): string {
  if (!target.startsWith('/') && URL.canParse(target)) return new URL(target).pathname;
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
