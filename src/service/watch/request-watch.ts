/** Gives each request an id, and records the request in the log and the metrics when it is over. */

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type Koa from 'koa';
import { pathOf } from 'concordat/koa';
import type { Log } from './log.js';
import { type Metrics, shortened } from './metrics.js';

/** Matches ids that are safe in a header, a log and a shell. Longer ids serve no purpose. */
const WELL_FORMED = /^[\w.:+/=@~-]{1,128}$/;

/** Each process has a random name and counts its requests: as unique as one random id per request, and many times cheaper. */
const processName = randomBytes(6).toString('hex');
let count = 0;

/** @param given - the `X-Request-Id` that the client, or a proxy in front of the service, sent */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  if (typeof given === 'string' && WELL_FORMED.test(given)) return given;
  count += 1;
  return `${processName}-${count.toString(36)}`;
}

/** The operations of probes. They come every few seconds, so they are logged at `debug`. */
const PROBES: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics']);

/** The maximum length of a path in the log. */
const LONGEST_PATH = 1000;

/**
 * Makes the middleware. A log line has the path without its query, which may contain tokens, and no headers. Its operation is
 * the operationId, the name of a GraphQL operation, or the word that another step put into `context.state.operation`.
 */
export function requestWatch(log: Log, metrics: Metrics): Koa.Middleware {
  function ended(context: Koa.Context, id: string, started: number): void {
    const { res } = context;
    const durationMs = performance.now() - started;
    const operation = operationOf(context);
    metrics.requestEnded(operation, res.statusCode, durationMs / 1000);
    const level = PROBES.has(operation) ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return;
    log[level](lineOf(context, { id, operation, durationMs, res }), 'request');
  }

  return (context, next) => {
    const started = performance.now();
    const { req, res } = context;
    const id = requestIdOf(req.headers['x-request-id']);
    // The answer takes its id from this header, and so does the report of a masked error.
    req.headers['x-request-id'] = id;
    metrics.requestStarted();
    res.on('close', () => {
      ended(context, id, started);
    });
    return next();
  };
}

/** The name of an operation in the metrics; never a text that the client chose. */
function operationOf(context: Koa.Context): string {
  const { _matchedRouteName: operationId, state } = context as unknown as RoutedContext;
  if (operationId !== undefined) return operationId;
  return state.operation ?? ('graphqlOperation' in state ? 'graphql' : 'unknown');
}

/** The properties that `@koa/router` and other steps set on a context. */
interface RoutedContext {
  readonly _matchedRouteName?: string;
  readonly state: { readonly operation?: string; readonly graphqlOperation?: string };
}

interface Ended {
  readonly id: string;
  readonly operation: string;
  readonly durationMs: number;
  readonly res: ServerResponse;
}

function lineOf(context: Koa.Context, { id, operation, durationMs, res }: Ended): Record<string, unknown> {
  const { graphqlOperation } = (context as unknown as RoutedContext).state;
  return {
    requestId: id,
    method: context.req.method,
    path: pathOf(context).slice(0, LONGEST_PATH),
    status: res.statusCode,
    durationMs: Math.round(durationMs * 1000) / 1000,
    operation: graphqlOperation === undefined ? operation : shortened(graphqlOperation),
    address: context.ip,
    ...(isAbandoned(res) && { aborted: true }),
  };
}

/** Whether the client did not wait for the response, or closed the connection before its request was complete. */
function isAbandoned({ writableFinished, req }: ServerResponse): boolean {
  return !writableFinished || (!req.complete && req.socket.readableEnded);
}
