/** Serves a handler as a handler of Fastify's routes. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TransportOptions, compilePathChoice, throwRefusal } from '../http/path-choice.js';
import type { HttpHandler, HttpResponse } from '../http/message.js';
import { NodeRequest, pathOf } from './node/node-request.js';
import { writeResponse } from './node/write-response.js';

export interface FastifyTransportOptions extends TransportOptions {
  /** Called with errors that break off a streamed body; they go to Fastify's logger unless given. */
  readonly report?: (error: unknown) => void;
}

/**
 * A route's handler that answers with the handler. It passes errors that the handler throws to Fastify, and requests for paths that
 * the handler does not have to Fastify's not-found handler (unless `unknownPaths` is `answer`).
 *
 * The host of handlers is Fastify's request. `Host` may narrow it to a request with the decorations of the application. If Fastify
 * has already parsed the body, it is taken from the request. Hooks that change a payload (`onSend`) do not see the response.
 *
 * @example
 * ```ts
 * const app = fastify();
 * app.all('/api/*', fastifyTransport(engine));
 * ```
 */
export function fastifyTransport<Host extends FastifyRequest>(
  handler: HttpHandler<Host>,
  options: FastifyTransportOptions = {},
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined {
  const choose = compilePathChoice(handler, options);
  return (request, reply) => {
    const path = choose(pathOf(request.raw), request.method);
    if (path === undefined) {
      reply.callNotFound();
      return undefined;
    }
    const { report = (error: unknown) => request.log.error(error) } = options;
    const send = (response: HttpResponse): void => {
      throwRefusal(response, options);
      reply.hijack();
      // Fastify keeps the headers that its hooks set until it sends a response itself.
      for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
      writeResponse(reply.raw, request.method, response, report);
    };
    const response = handler(new FastifyNodeRequest(request as Host, reply, path));
    if (response instanceof Promise) return response.then(send);
    send(response);
    return undefined;
  };
}

class FastifyNodeRequest<Host extends FastifyRequest> extends NodeRequest<Host> {
  constructor(request: Host, reply: FastifyReply, path: string) {
    super(request.raw, reply.raw, path, request);
  }

  /** Fastify's setting `trustProxy` decides which proxies are trusted. */
  override get address(): string | undefined {
    return this.host.ip;
  }

  protected override get parsed(): readonly object[] {
    return [this.host, ...super.parsed];
  }
}
