/** The outermost step: gives a request its id, and when it is over a line in the log and its place in the metrics. */

import type { ServerResponse } from 'node:http';
import type Koa from 'koa';
import { pathOf } from 'concordat/koa';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { shortened } from './operation-name.js';
import { requestIdOf } from './request-id.js';

/** What the paths of probes are called: they come every few seconds, and are worth a line only to who looks for one. */
const PROBES: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics']);

/** Nobody reads on. */
const LONGEST_PATH = 1000;

/**
 * Watches requests. The line has the path without its query, which may carry tokens, and no header. What counts as the
 * operation is the operationId, a GraphQL operation's name, or the word that another step left in `context.state.operation`.
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
    // The answer gets its id from here, and so does the report of a masked error.
    req.headers['x-request-id'] = id;
    metrics.requestStarted();
    res.on('close', () => {
      ended(context, id, started);
    });
    return next();
  };
}

/** What the metrics call an operation; never a text that a client may choose. */
function operationOf(context: Koa.Context): string {
  const { _matchedRouteName: operationId, state } = context as unknown as RoutedContext;
  if (operationId !== undefined) return operationId;
  return state.operation ?? ('graphqlOperation' in state ? 'graphql' : 'unknown');
}

/** What `@koa/router` and the other steps leave on a context. */
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
