/** GraphQL over server-sent events, behind Koa: the protocol of graphql-sse in its distinct connections mode. */

import type { Context as KoaContext, Middleware } from 'koa';
import type { FormattedExecutionResult } from 'graphql';
import {
  type GraphqlEngine,
  type GraphqlParameters,
  type GraphqlSession,
  type OpenGraphqlSession,
  parametersOfBody,
  parametersOfQuery,
  problemResult,
} from '../../engine/graphql/index.js';
import { Problem } from '../../engine/index.js';
import { EventStream, type EventStreamOptions } from './graphql-sse/event-stream.js';
import { KoaRequest, pathOf, sendResponse } from './koa-message.js';

export interface GraphqlSseOptions<Context> extends EventStreamOptions {
  readonly engine: GraphqlEngine<Context>;
  /** Called once a request, with its `Authorization` header. */
  readonly openSession: OpenGraphqlSession<Context>;
  /** `/graphql` unless given. */
  readonly path?: string;
  /** The most bytes that a body may have; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
}

export interface GraphqlSse {
  readonly middleware: Middleware;
  /** Ends every stream. Without a `complete`, so that clients come again, to a process that is not stopping. */
  close(): void;
}

/**
 * Serves requests whose `Accept` wants `text/event-stream` first, and leaves all others to what is behind it. Results come as
 * `next` events, then `complete`. A subscription ends with an error in a last `next` where its token is not valid any more
 * (`UNAUTHENTICATED`) or its client reads too slowly (`LIMIT_EXCEEDED`).
 *
 * @example
 * ```ts
 * const sse = graphqlSse({ engine, openSession: () => ({ makeContext: () => undefined }) });
 * app.use(sse.middleware);
 * ```
 */
export function graphqlSse<Context>(options: GraphqlSseOptions<Context>): GraphqlSse {
  const { engine, openSession, path = '/graphql', maxBodyBytes = 1024 * 1024 } = options;
  const streams = new Set<EventStream>();

  async function serve(context: KoaContext): Promise<void> {
    const request = new KoaRequest(context, path);
    const isRead = request.method === 'GET';
    let parameters: GraphqlParameters;
    try {
      parameters = isRead ? parametersOfQuery(request.query) : await parametersOfBody(request, maxBodyBytes);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refuse(context, error);
      return;
    }
    const operation = engine.prepare(parameters);
    if (isRead && 'type' in operation && operation.type === 'mutation') {
      refuse(context, new Problem(405, 'Mutations are not served over GET: use POST', { Allow: 'POST' }));
      return;
    }
    const started = await start(operation, parameters, context);
    context.respond = false;
    const stream = new EventStream(context.res, options);
    streams.add(stream);
    try {
      if ('session' in started) await pipe(started, stream, context);
      else await stream.send('next', JSON.stringify(started));
      await stream.send('complete');
    } finally {
      streams.delete(stream);
      stream.end();
    }
  }

  async function start(
    operation: ReturnType<typeof engine.prepare>,
    { variables }: GraphqlParameters,
    { req: { headers } }: KoaContext,
  ): Promise<Subscribed<Context> | FormattedExecutionResult> {
    if ('errors' in operation) return operation;
    try {
      const session = await openSession(headers.authorization);
      if (operation.type !== 'subscription') {
        return await engine.execute(operation, variables, await session.makeContext(), headers);
      }
      const results = await engine.subscribe(operation, variables, () => session.makeContext(), headers);
      return Symbol.asyncIterator in results ? { results, session } : results;
    } catch (error) {
      return { errors: [engine.failure(error, headers)] };
    }
  }

  async function pipe(
    { results, session }: Subscribed<Context>,
    stream: EventStream,
    { req, res }: KoaContext,
  ): Promise<void> {
    const { expiresAt } = session;
    const expiry: { timer?: NodeJS.Timeout; isOver?: true } = {};
    // Longer than a timer can wait, nobody's token lasts.
    const leave = (): void => void results.return();
    if (expiresAt !== undefined) {
      const ms = Math.min(expiresAt.getTime() - Date.now(), 2 ** 31 - 1);
      expiry.timer = setTimeout(() => {
        expiry.isOver = true;
        leave();
      }, ms);
    }
    res.once('close', leave);
    // Who left while the subscription was being made is not heard leaving any more.
    if (res.closed) leave();
    try {
      for await (const result of results) await stream.send('next', JSON.stringify(result));
      // Whoever the token stood for, it does not any more: asking again says so.
      if (expiry.isOver) await session.makeContext();
    } catch (error) {
      await stream.send('next', JSON.stringify({ errors: [engine.failure(error, req.headers)] }));
    } finally {
      clearTimeout(expiry.timer);
    }
  }

  return {
    middleware: async (context, next) => {
      const wantsStream =
        pathOf(context) === path && /^(?:GET|POST)$/.test(context.method) && prefersStream(context);
      await (wantsStream ? serve(context) : next());
    },
    close: () => {
      for (const stream of streams) stream.end();
    },
  };
}

/** A subscription that stands, and whose it is. */
interface Subscribed<Context> {
  readonly results: AsyncGenerator<FormattedExecutionResult, void, void>;
  readonly session: GraphqlSession<Context>;
}

function prefersStream(context: KoaContext): boolean {
  if (!context.get('Accept').includes('text/event-stream')) return false;
  return context.accepts('application/json', 'text/event-stream') === 'text/event-stream';
}

function refuse(context: KoaContext, problem: Problem): void {
  const headers = { ...problem.headers, 'Content-Type': 'application/json; charset=utf-8' };
  sendResponse(context, { status: problem.status, headers, body: JSON.stringify(problemResult(problem)) });
}
