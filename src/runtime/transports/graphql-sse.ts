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
  onExpiry,
  problemResult,
} from '../graphql/index.js';
import { Problem } from '../index.js';
import { EventStream, type EventStreamOptions, eventOf } from './graphql-sse/event-stream.js';
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
 * (`UNAUTHENTICATED`) or its client reads too slowly (`LIMIT_EXCEEDED`); who does not read that within five seconds is
 * disconnected.
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
  let isClosed = false;

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
    // Over a connection that was kept, it may come when all others have been ended.
    if (isClosed && 'session' in started) stream.end();
    try {
      const last = await ('session' in started ? pipe(started, stream, context) : sendAll([started], stream));
      stream.end(Buffer.concat([last, COMPLETE]));
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

  /** @returns what is to be said at the end */
  async function pipe(
    { results, session }: Subscribed<Context>,
    stream: EventStream,
    { req, res }: KoaContext,
  ): Promise<Buffer> {
    const { expiresAt } = session;
    const expiry: { timer?: NodeJS.Timeout; isOver?: true } = {};
    const leave = (): void => void results.return();
    if (expiresAt !== undefined) {
      expiry.timer = onExpiry(expiresAt, () => {
        expiry.isOver = true;
        leave();
      });
    }
    res.once('close', leave);
    // Who left while the subscription was being made is not heard leaving any more.
    if (!stream.isOpen) leave();
    try {
      const last = await sendAll(results, stream);
      // Whoever the token stood for, it does not any more: asking again says so.
      if (expiry.isOver) await session.makeContext();
      return last;
    } catch (error) {
      return nextOf({ errors: [engine.failure(error, req.headers)] });
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
      isClosed = true;
      for (const stream of streams) stream.end();
    },
  };
}

/** A subscription that stands, and whose it is. */
interface Subscribed<Context> {
  readonly results: AsyncGenerator<FormattedExecutionResult, void, void>;
  readonly session: GraphqlSession<Context>;
}

/** @returns what is to be said behind it: nothing, or that the client reads too slowly */
async function sendAll(
  results: Subscribed<unknown>['results'] | readonly FormattedExecutionResult[],
  stream: EventStream,
): Promise<Buffer> {
  for await (const result of results) {
    if ((await stream.send(nextOf(result))) === 'too slow') return TOO_SLOW;
  }
  return Buffer.of();
}

const COMPLETE = eventOf('complete');

/** Events that several subscribers get are written once: who gets the same is for the engine to know. */
const written = new WeakMap<FormattedExecutionResult, Buffer>();

function nextOf(result: FormattedExecutionResult): Buffer {
  const known = written.get(result);
  if (known !== undefined) return known;
  const event = eventOf('next', JSON.stringify(result));
  written.set(result, event);
  return event;
}

const TOO_SLOW = nextOf({
  errors: [{ message: 'The client reads too slowly', extensions: { code: 'LIMIT_EXCEEDED' } }],
});

const STREAM = 'text/event-stream';

/** Who names the stream wants it no less than what else there is; who takes anything does not get it. */
function prefersStream(context: KoaContext): boolean {
  if (!/text\/event-stream/i.test(context.get('Accept'))) return false;
  return context.accepts('application/graphql-response+json', 'application/json', STREAM) === STREAM;
}

function refuse(context: KoaContext, problem: Problem): void {
  const headers = { ...problem.headers, 'Content-Type': 'application/json; charset=utf-8' };
  sendResponse(context, { status: problem.status, headers, body: JSON.stringify(problemResult(problem)) });
}
