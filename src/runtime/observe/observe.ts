/** Middleware that compares the exchanges of existing routes with a contract, for Koa, Express, Fastify and Hono. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHandler, HttpResponse } from '../http/message.js';
import type { Deviation } from './deviations.js';
import {
  type HeaderFields,
  type PassedExchange,
  type ReadExchange,
  observedHandler,
  openExchange,
} from './engine-observer.js';
import { type FetchContext, observeFetch } from './fetch-observer.js';
import { bodyBefore, followNode, observeNode, requestSample } from './node-observer.js';
import type { Watched } from './exchange-check.js';
import { type ObserveCounters, type ObserveOptions, Observation } from './observation.js';

/** The parts of Koa's context that are used. */
interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly request: object;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly body?: unknown;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: unknown): unknown;
}

/** The parts of Fastify that are used. */
interface FastifyApp {
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): unknown;
  addHook(
    name: 'preValidation',
    hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): unknown;
}

interface HonoContext extends FetchContext {
  readonly executionCtx: { waitUntil(promise: Promise<unknown>): void };
}

/** The middleware of each host, and the deviations that were found. */
export interface Observer {
  /** `app.use(observer.koa)` */
  readonly koa: (context: KoaContext, next: () => Promise<unknown>) => Promise<unknown>;
  /** `app.use(observer.express)` */
  readonly express: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    next: (error?: unknown) => void,
  ) => void;
  /** `app.register(observer.fastify)` */
  readonly fastify: (app: FastifyApp, options: unknown, done: () => void) => void;
  /** `app.use(observer.hono)` */
  readonly hono: (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>;
  /** The deviations since the start, in the order of their ids. */
  readonly deviations: () => readonly Deviation[];
  /** The requests whose path or method the contract does not have, at most 2,000: those that were refused too, which are no deviations. */
  readonly undeclared: () => readonly Deviation[];
  readonly counters: ObserveCounters;
  /** Observes an engine in tests: `testClient(observer.around(engine), contract)`. Bodies of requests are read into memory first. */
  readonly around: <Host>(handler: HttpHandler<Host>) => HttpHandler<Host>;
  /**
   * Observes an exchange while something else passes it on, such as a proxy, which adds the bytes of the bodies.
   *
   * @param target - the path and the query, as they were sent
   * @param consume - gets the exchange when it is read, also if the contract does not have it
   * @returns undefined for an exchange that is not observed
   */
  readonly open: (
    method: string,
    target: string,
    headers: HeaderFields,
    consume?: (exchange: ReadExchange) => void,
  ) => PassedExchange | undefined;
  /**
   * Writes the usage since the start into a file of this observer's own in a folder, for `concordat coverage` and `concordat diff --usage`.
   *
   * @returns the path of the file
   * @throws without the option `usage`
   */
  readonly writeUsage: (folder: string) => Promise<string>;
  /** Resolves when no observed exchange is open and all are checked, for tests. */
  readonly settled: () => Promise<void>;
}

/**
 * Makes middleware that compares existing routes with a contract in the background. It changes no byte of what passes. Mounted in
 * front of a body parser, it copies the bytes of requests; behind one, it takes what the parser read, which `enforce` needs to reject
 * bodies.
 *
 * @throws for a mode of an operation that the contract does not have, and for a rate that is not from 0 to 1
 *
 * @example
 * ```ts
 * const observer = observe({ contract, responseChecks: await import('./generated/response-validators.js') });
 * app.use(observer.koa);
 * setInterval(() => console.table(observer.deviations()), 60_000);
 * ```
 */
export function observe<Id extends string>(options: ObserveOptions<Id>): Observer {
  const observation = new Observation(options);
  const koa: Observer['koa'] = (context, next) => {
    const parsed = bodyIn(context.request) ?? bodyIn(context.req);
    const rejection = observeNode(observation, context.req, context.res, parsed);
    if (rejection === undefined) return next();
    return rejection.then((response) => {
      if (response === undefined) return next();
      context.status = response.status;
      context.set(headersOf(response));
      context.body = bodyText(response);
      return undefined;
    });
  };
  const express: Observer['express'] = (incoming, outgoing, next) => {
    const rejection = observeNode(observation, incoming, outgoing, bodyIn(incoming));
    if (rejection === undefined) next();
    else {
      rejection.then((response) => {
        if (response === undefined) next();
        else outgoing.writeHead(response.status, headersOf(response)).end(bodyText(response));
      }).catch(next); // prettier-ignore
    }
  };
  const hono: Observer['hono'] = async (context, next) => {
    const response = await observeFetch(observation, context, next, (checked) => {
      try {
        context.executionCtx.waitUntil(checked);
      } catch {
        // Only Workers have an execution context.
      }
    });
    return (
      response && new Response(bodyText(response), { status: response.status, headers: headersOf(response) })
    );
  };
  return {
    koa,
    express,
    fastify: fastifyPlugin(observation),
    hono,
    deviations: () => observation.table.list(),
    undeclared: () => observation.undeclared.list(),
    counters: observation.counters,
    around: (handler) => observedHandler(observation, handler),
    open: (...given) => openExchange(observation, ...given),
    writeUsage: async (folder) => {
      if (observation.usage === undefined) throw new Error('observe has no option usage, so it counts none');
      return observation.usage.write(folder);
    },
    settled: () => observation.settled(),
  };
}

function fastifyPlugin(observation: Observation): Observer['fastify'] {
  const enforced = new WeakMap<object, Watched>();
  const plugin: Observer['fastify'] = (app, _options, done) => {
    app.addHook('onRequest', ({ raw }, reply, next) => {
      const watched = observation.begin(raw.method ?? 'GET', raw.url ?? '', raw.headers);
      const isEnforced = watched?.operation?.mode === 'enforce';
      if (isEnforced) enforced.set(raw, watched);
      if (watched !== undefined) {
        const request = isEnforced ? 'checked' : requestSample(observation, watched, raw, undefined);
        followNode(observation, watched, raw, reply.raw, request);
      }
      next();
    });
    // Fastify has parsed the body, and its own validation has not changed it yet.
    app.addHook('preValidation', async ({ raw, body }, reply) => {
      const watched = enforced.get(raw);
      const response = watched && (await observation.rejection(watched, bodyBefore(raw, body)));
      if (response === undefined) return undefined;
      reply.code(response.status);
      reply.headers(headersOf(response));
      return reply.send(bodyText(response));
    });
    done();
  };
  // Otherwise, Fastify would run the hooks only for the routes of the plugin itself.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}

/** A problem has no header that is sent several times. */
function headersOf({ headers }: HttpResponse): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** A problem is written as JSON. */
function bodyText({ body }: HttpResponse): string {
  return typeof body === 'string' ? body : '';
}

function bodyIn(request: object): unknown {
  return (request as { readonly body?: unknown }).body;
}
