/** Serves a handler through `node:http`, and through every server that uses its types, such as Express. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHandler, HttpResponse } from '../http/message.js';
import { type TransportOptions, compilePathChoice, requireAll, throwRefusal } from '../http/path-choice.js';
import { NodeRequest, pathOf } from './node/node-request.js';
import { writeResponse } from './node/write-response.js';

export {
  type ClientErrorOptions,
  type ConnectionResponses,
  answerClientErrors,
} from './node/client-errors.js';
export { saveBody } from './node/body-stream.js';
export { writeToSocket } from './node/write-response.js';

export interface NodeTransportOptions extends TransportOptions {
  /** Called with errors that a handler throws or that break off a streamed body; they go to the console unless given. */
  readonly report?: (error: unknown) => void;
}

/** A listener of `node:http`, and middleware of Express and similar frameworks, whose requests may be of another type. */
export type NodeListener<Incoming extends IncomingMessage = IncomingMessage> = (
  incoming: Incoming,
  outgoing: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Middleware, which a server with other handlers calls with `next`. */
export type NodeMiddleware<Incoming extends IncomingMessage = IncomingMessage> = (
  incoming: Incoming,
  outgoing: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * A listener that answers every request with the handler. As middleware, with a `next`, it passes on requests for paths that the
 * handler does not have (unless `unknownPaths` is `answer`) and errors that the handler throws. An engine with `others: 'next'`
 * needs `unknownPaths: 'next'`: without it, the transport refuses to start.
 *
 * The host of handlers is the request, such as Express' `Request`. Without a `next`, `refusals: 'throw'` has no error handler to throw to, so
 * that refusals are answered.
 *
 * If a parser in front has already read the body, it is taken from `incoming.body`.
 *
 * @example
 * ```ts
 * createServer(nodeTransport(engine)).listen(3000);
 * express().use(express.json(), nodeTransport(engine)).listen(3001);
 * ```
 */
export function nodeTransport<Incoming extends IncomingMessage>(
  handler: HttpHandler<Incoming>,
  options: NodeTransportOptions & { readonly unknownPaths: 'next' },
): NodeMiddleware<Incoming>;
export function nodeTransport<Incoming extends IncomingMessage>(
  handler: HttpHandler<Incoming>,
  options?: NodeTransportOptions,
): NodeListener<Incoming>;
export function nodeTransport<Incoming extends IncomingMessage>(
  handler: HttpHandler<Incoming>,
  options: NodeTransportOptions = {},
): NodeListener<Incoming> {
  const { unknownPaths, report = console.error } = options;
  // Without the option, the listener may be that of a server that has no next handler.
  if (unknownPaths !== 'next') requireAll(handler);
  const { serves } = handler;
  const chooseAll = compilePathChoice({ ...(serves && { serves }) }, { ...options, unknownPaths: 'answer' });
  const chooseKnown = compilePathChoice(handler, { ...options, unknownPaths: 'next' });

  return (incoming, outgoing, next) => {
    const choose = next === undefined || unknownPaths === 'answer' ? chooseAll : chooseKnown;
    const path = choose(pathOf(incoming), incoming.method ?? 'GET');
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
    const request = new NodeRequest(incoming, outgoing, path, incoming);
    const send = (response: HttpResponse): void => {
      try {
        if (next !== undefined) throwRefusal(response, options);
        writeResponse(outgoing, request.method, response, report);
      } catch (error) {
        fail(error);
      }
    };
    try {
      const response = handler(request);
      if (response instanceof Promise) response.then(send, fail);
      else send(response);
    } catch (error) {
      fail(error);
    }
  };
}
