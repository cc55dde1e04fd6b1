/** The service's Koa application, one step after the other. */

import Koa from 'koa';
import { koaTransport } from 'concordat/koa';
import type { AttemptLimiter, Caller } from '@concordat/core';
import type { HttpHandler, RestEngine } from 'concordat';
import type { Log } from '../watch/log.js';
import type { Settings } from '../settings/settings.js';
import { crossOrigin } from './cors.js';
import type { Pages } from '../pages/pages.js';
import type { Metrics } from '../watch/metrics.js';
import { placesHandler } from './places.js';
import type { Health } from '../watch/health.js';
import { findProbe } from './probes.js';
import { rateLimit } from './rate-limit.js';
import { requestWatch } from '../watch/request-watch.js';
import { securityHeaders } from './security-headers.js';
import { tracing } from '../watch/tracing.js';

/** What the application serves. */
export interface ServerParts {
  /** The contract of `openapi.yaml`; it answers for every path that no step before it took. */
  readonly rest: RestEngine<Caller>;
  /** What answers at `/graphql`. */
  readonly graphql: HttpHandler;
  readonly pages: Pages;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Counts the requests of an address; undefined lets all through. */
  readonly limiter: AttemptLimiter | undefined;
}

type ServerSettings = Pick<Settings, 'trustProxy' | 'corsOrigins' | 'securityHeaders'>;

/** Puts the steps in the order in which a request takes them. A step that the settings leave out is undefined. */
export async function createServer(parts: ServerParts, settings: ServerSettings): Promise<Koa> {
  const { rest, graphql, pages, log, metrics, health, limiter } = parts;
  const { refuse } = rest;
  const steps: readonly (Koa.Middleware | undefined)[] = [
    // First, so that everything after it is seen.
    tracing(),
    requestWatch(log, metrics),
    // Before anything that answers: every answer has them.
    settings.securityHeaders ? securityHeaders() : undefined,
    await crossOrigin(settings.corsOrigins),
    // Before the limit, which is not for operators.
    koaTransport(placesHandler(findProbe(health, metrics), refuse)),
    limiter && rateLimit(limiter, refuse),
    koaTransport(placesHandler(pages.find, refuse)),
    koaTransport(graphql),
  ];
  const app = new Koa({ proxy: settings.trustProxy > 0, maxIpsCount: settings.trustProxy });
  for (const step of steps) if (step !== undefined) app.use(step);
  // The contract has an answer for every path that is left.
  app.use(koaTransport(rest, { unknownPaths: 'answer' }).routes());
  // The engine answers for what goes wrong within; a connection that its client broke off is not a failure.
  app.on('error', (error: Error, context?: Koa.Context) => {
    if (context?.writable !== false) log.error({ err: error }, 'a request failed outside of the contract');
  });
  return app;
}
