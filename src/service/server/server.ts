/** The service's Koa application: its middleware, in order. */

import Koa from 'koa';
import { koaTransport } from 'concordat/koa';
import type { Caller } from '@concordat/core';
import type { HttpHandler, Problem, RestEngine, SecurityScheme } from 'concordat';
import type { Log } from '../watch/log.js';
import type { Settings } from '../settings/settings.js';
import { crossOrigin } from './cors.js';
import { credentialCaching } from './credential-caching.js';
import type { Pages } from '../pages/pages.js';
import type { Metrics } from '../watch/metrics.js';
import type { OriginGuard } from '../guards/origin-guard.js';
import { type Refuse, placesHandler } from './places.js';
import type { Health } from '../watch/health.js';
import { findProbe } from './probes.js';
import type { RequestCount } from '../guards/request-count.js';
import { requestWatch } from '../watch/request-watch.js';
import { securityHeaders } from './security-headers.js';
import { tracing } from '../watch/tracing.js';

/** The parts of the application. */
export interface ServerParts {
  /** The contract of `openapi.yaml`; it answers every path that no earlier step has answered. */
  readonly rest: RestEngine<Caller>;
  /** Where callers' credentials are in their requests. */
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** The handler of `/graphql`. */
  readonly graphql: HttpHandler;
  /** Tools for models; undefined where the settings ask for none. */
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

/** Puts the steps in the order in which a request takes them. A step that the settings leave out is undefined. */
export async function createServer(parts: ServerParts, settings: ServerSettings): Promise<Koa> {
  const { rest, securitySchemes, graphql, mcp, pages, log, metrics, health, guard, countRequest } = parts;
  const { refuse } = rest;
  const steps: readonly (Koa.Middleware | undefined)[] = [
    // First, so that it covers everything after it.
    await tracing(),
    requestWatch(log, metrics),
    // Before any step that answers, so that every answer has them.
    settings.securityHeaders ? securityHeaders() : undefined,
    // Before any step that does something for a page.
    guardWith(guard, refuse),
    await crossOrigin(settings.corsOrigins),
    // Before the rate limit, which must not apply to operators.
    koaTransport(placesHandler(findProbe(health, metrics), refuse)),
    countRequest && rateLimit(countRequest, refuse),
    koaTransport(placesHandler(pages.find, refuse)),
    // After the pages, which are the same for everybody.
    credentialCaching(securitySchemes),
    koaTransport(graphql),
    mcp && koaTransport(mcp),
  ];
  const app = new Koa({ proxy: settings.trustProxy > 0, maxIpsCount: settings.trustProxy });
  for (const step of steps) if (step !== undefined) app.use(step);
  // The engine answers every remaining path.
  app.use(koaTransport(rest, { unknownPaths: 'answer' }).routes());
  // The engine answers its own errors; a connection that the client broke off is not a failure.
  app.on('error', (error: Error, context?: Koa.Context) => {
    if (context?.writable !== false) log.error({ err: error }, 'a request failed outside of the contract');
  });
  return app;
}

/** Most requests pass, and a step that is not asynchronous costs them next to nothing. */
function guardWith(guard: OriginGuard, refuse: Refuse): Koa.Middleware {
  return (context, next): Promise<unknown> => {
    const problem = guard.findProblem(context.req);
    return problem === undefined ? next() : answerWith(problem, refuse, context, next);
  };
}

function rateLimit(countRequest: RequestCount, refuse: Refuse): Koa.Middleware {
  return async (context, next) => {
    const problem = await countRequest(context.ip);
    await (problem === undefined ? next() : answerWith(problem, refuse, context, next));
  };
}

async function answerWith(
  problem: Problem,
  refuse: Refuse,
  context: Koa.Context,
  next: Koa.Next,
): Promise<void> {
  await koaTransport((request) => refuse(problem, request))(context, next);
}
