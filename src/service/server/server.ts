/** The service's Koa application: its middleware, in order. */

import Koa from 'koa';
import { type SendResponse, koaTransport } from 'concordat/koa';
import type { Caller } from '@concordat/core';
import type { HttpHandler, Problem, RestEngine, SecurityScheme } from 'concordat';
import type { Log } from '../watch/log.js';
import type { Settings } from '../settings/settings.js';
import { crossOrigin } from './cors.js';
import type { Pages } from '../pages/pages.js';
import type { Metrics } from '../watch/metrics.js';
import type { OriginGuard } from '../guards/origin-guard.js';
import { type Refuse, placesHandler } from './places.js';
import type { Health } from '../watch/health.js';
import { findProbe } from './probes.js';
import type { RequestCount } from '../guards/request-count.js';
import { requestWatch } from '../watch/request-watch.js';
import { securityHeaders } from './security-headers.js';
import { CredentialHeaders, sendWith } from './send.js';
import { tracing } from '../watch/tracing.js';

/** The parts of the application. */
export interface ServerParts {
  /** The engine of `openapi.yaml`. It answers every path that no earlier step has answered. */
  readonly rest: RestEngine<Caller>;
  /** The security schemes of the contract, which name the headers of credentials. */
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** The handler of `/graphql`. */
  readonly graphql: HttpHandler;
  /** Tools for models; undefined when the settings enable none. */
  readonly mcp: HttpHandler | undefined;
  readonly pages: Pages;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly guard: OriginGuard;
  /** Undefined for no limit. */
  readonly countRequest: RequestCount | undefined;
}

type ServerSettings = Pick<Settings, 'trustProxy' | 'corsOrigins' | 'securityHeaders'>;

/** Creates the application, with its steps in the order of a request. A step that the settings disable is undefined. */
export async function createServer(parts: ServerParts, settings: ServerSettings): Promise<Koa> {
  const { rest, securitySchemes, graphql, mcp, pages, log, metrics, health, guard, countRequest } = parts;
  const { refuse } = rest;
  const report = (error: unknown): void => {
    log.error({ err: error }, 'a request failed outside of the contract');
  };
  const fixed = settings.securityHeaders ? securityHeaders() : {};
  const send = sendWith(fixed, report);
  // For answers that depend on the caller; pages are the same for all callers.
  const sendToCaller = sendWith(fixed, report, new CredentialHeaders(securitySchemes));
  const steps: readonly (Koa.Middleware | undefined)[] = [
    // First, so that it covers everything after it.
    await tracing(),
    requestWatch(log, metrics),
    // Before any step that acts on the request of a page of another origin.
    guardWith(guard, refuse, send),
    await crossOrigin(settings.corsOrigins, fixed),
    // Before the rate limit, which must not apply to the probes of operators.
    koaTransport(placesHandler(findProbe(health, metrics), refuse), { send }),
    countRequest && rateLimit(countRequest, refuse, send),
    koaTransport(placesHandler(pages.find, refuse), { send }),
    koaTransport(graphql, { send: sendToCaller }),
    mcp && koaTransport(mcp, { send: sendToCaller }),
  ];
  const app = new Koa({ proxy: settings.trustProxy > 0, maxIpsCount: settings.trustProxy });
  for (const step of steps) if (step !== undefined) app.use(step);
  // The engine answers every remaining path.
  app.use(koaTransport(rest, { unknownPaths: 'answer', send: sendToCaller }).routes());
  // The engine answers its own errors. A connection that the client closed early is not a failure.
  app.on('error', (error: Error, context?: Koa.Context) => {
    if (context?.writable !== false) report(error);
  });
  return app;
}

/** Refuses requests of other origins. It is synchronous, because most requests pass and then cost next to nothing. */
function guardWith(guard: OriginGuard, refuse: Refuse, send: SendResponse): Koa.Middleware {
  return (context, next): Promise<unknown> => {
    const problem = guard.findProblem(context.req);
    return problem === undefined ? next() : answerWith(problem, refuse, send, context);
  };
}

function rateLimit(countRequest: RequestCount, refuse: Refuse, send: SendResponse): Koa.Middleware {
  return async (context, next) => {
    const problem = await countRequest(context.ip);
    await (problem === undefined ? next() : answerWith(problem, refuse, send, context));
  };
}

async function answerWith(
  problem: Problem,
  refuse: Refuse,
  send: SendResponse,
  context: Koa.Context,
): Promise<void> {
  const answer = koaTransport((request) => refuse(problem, request), { send });
  await answer(context, () => Promise.resolve());
}
