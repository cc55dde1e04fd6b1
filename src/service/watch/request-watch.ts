/** Gives each request an id, and records the request in the log and the metrics when it is over. */

import { randomBytes } from 'node:crypto';
import type Koa from 'koa';
import type { Caller, SecurityHandlers } from '@concordat/core';
import type { RequestHeaders, SecurityHandler } from '@concordat/runtime';
import { pathOf } from '@concordat/runtime/koa';
import { withoutSecrets } from '@concordat/runtime/observe';
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

/** The status of a request whose client left before its answer began, as nginx logs it: no other one was sent. */
const CLIENT_LEFT = 499;

/** The maximum length of a path in the log. */
const LONGEST_PATH = 1000;

/**
 * Makes the middleware. A log line has the path without its query, which may contain tokens, and no headers. Its operation is
 * the operationId, the name of a GraphQL operation, or the word that another step put into `context.state.operation`.
 */
export function requestWatch(log: Log, metrics: Metrics): Koa.Middleware {
  return (context, next) => {
    const started = performance.now();
    const { req, res } = context;
    // Koa keeps it when it is read; a connection that is closed has none.
    const address = context.ip;
    // The answer takes its id from this header, and so does the report of a failure.
    req.headers['x-request-id'] = requestIdOf(req.headers['x-request-id']);
    metrics.requestStarted();
    res.on('close', () => {
      const durationMs = performance.now() - started;
      const operation = operationOf(context);
      // Koa sets 404 before any step has answered.
      const status = res.headersSent ? res.statusCode : CLIENT_LEFT;
      metrics.requestEnded(operation, status, durationMs / 1000);
      const level = PROBES.has(operation) ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const { graphqlOperation } = (context as unknown as RoutedContext).state;
      // The client did not wait for the response, or closed the connection before its request was complete.
      const isAbandoned = !res.writableFinished || (!req.complete && req.socket.readableEnded);
      const { requestId, traceId, callerId } = lineOfRequest(req.headers);
      // The log leaves out undefined members. Spreading objects into the line would take as long as writing it.
      const line = {
        requestId,
        traceId,
        callerId,
        method: req.method,
        path: withoutSecrets(pathOf(context).slice(0, LONGEST_PATH)),
        status,
        durationMs: Math.round(durationMs * 1000) / 1000,
        operation: graphqlOperation === undefined ? operation : shortened(graphqlOperation),
        address,
        aborted: isAbandoned || undefined,
      };
      log[level](line, 'request');
    });
    return next();
  };
}

/**
 * The name of an operation in the metrics; never a text that the client chose.
 *
 * @param context - Koa's; a request that does not come through Koa has none
 */
export function operationOf(context: unknown): string {
  const { _matchedRouteName: operationId, state = {} } = (context ?? {}) as Partial<RoutedContext>;
  if (operationId !== undefined) return operationId;
  return state.operation ?? ('graphqlOperation' in state ? 'graphql' : 'unknown');
}

/** The properties that `@koa/router` and other steps set on a context. */
export interface RoutedContext {
  readonly _matchedRoute?: string;
  readonly _matchedRouteName?: string;
  readonly state: { readonly operation?: string; readonly graphqlOperation?: string };
}

/** The notes on a request, which later steps leave for the log on its headers: every layer passes these on. */
const NOTES = Symbol('notes');

interface Notes {
  readonly traceId?: string | undefined;
  readonly callerId?: string | undefined;
}

interface Noted {
  [NOTES]?: Notes;
}

function note(headers: Noted, notes: Notes): void {
  headers[NOTES] = { ...headers[NOTES], ...notes };
}

/** Notes the caller of a request. */
export function noteCaller(headers: RequestHeaders, caller: Caller): void {
  if (caller.kind !== 'anonymous') note(headers, { callerId: `${caller.kind}:${caller.id}` });
}

/** Makes security handlers note the callers that they find. */
export function noteCallers(handlers: SecurityHandlers): SecurityHandlers {
  const noting = (handler: SecurityHandler<Caller>): SecurityHandler<Caller> => ({
    missing: handler.missing,
    authenticate: async (credential, demand) => {
      const answer = await handler.authenticate(credential, demand);
      if ('caller' in answer) noteCaller(demand.request.headers, answer.caller);
      return answer;
    },
  });
  return { bearerAuth: noting(handlers.bearerAuth), apiKeyAuth: noting(handlers.apiKeyAuth) };
}

/** Notes the trace of a request that has no `traceparent`. */
export function noteTrace(headers: RequestHeaders, traceId: string): void {
  note(headers, { traceId });
}

/** The version and the trace id of `traceparent` (W3C Trace Context, section 3.2). */
const TRACE_PARENT = /^[\da-f]{2}-([\da-f]{32})-/;

/** The members of a log line that link it to its request, its trace and its caller. */
export function lineOfRequest(headers: RequestHeaders) {
  const { 'x-request-id': requestId, traceparent } = headers;
  const notes = (headers as Noted)[NOTES];
  const given = traceparent === undefined ? undefined : TRACE_PARENT.exec(String(traceparent))?.[1];
  return { requestId, traceId: notes?.traceId ?? given, callerId: notes?.callerId };
}
