/** The door of the service: a Koa application, one step after the other. */

import Koa from 'koa';
import { koaGraphql, koaTransport } from 'concordat/koa';
import type { AttemptLimiter, Caller } from '@concordat/core';
import type { GraphqlHttpHandler } from 'concordat/graphql';
import type { RestEngine } from 'concordat';
import type { Log } from '../log.js';
import type { Settings } from '../settings.js';
import { crossOrigin } from './cors.js';
import type { Pages } from '../pages.js';
import type { Metrics } from './metrics.js';
import { pageStep } from './page-step.js';
import { type Health, probes } from './probes.js';
import { rateLimit } from './rate-limit.js';
import { refuseLike } from './refuse.js';
import { requestWatch } from './request-watch.js';
import { securityHeaders } from './security-headers.js';
import { tracing } from './tracing.js';

/** What stands behind the door. */
export interface DoorParts {
  /** The contract of `openapi.yaml`; it answers for every path that no step before it took. */
  readonly rest: RestEngine<Caller>;
  /** What answers at `/graphql`. */
  readonly graphql: GraphqlHttpHandler;
  /** What answers there with server-sent events, to those who want them. */
  readonly graphqlSse: Koa.Middleware;
  readonly pages: Pages;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Counts the requests of an address; undefined lets all through. */
  readonly limiter: AttemptLimiter | undefined;
}

type DoorSettings = Pick<Settings, 'trustProxy' | 'corsOrigins' | 'securityHeaders'>;

/** Puts the steps in the order in which a request takes them. A step that the settings leave out is undefined. */
export async function createDoor(parts: DoorParts, settings: DoorSettings): Promise<Koa> {
  const { rest, graphql, graphqlSse, pages, log, metrics, health, limiter } = parts;
  const refuse = refuseLike(rest);
  const steps: readonly (Koa.Middleware | undefined)[] = [
    // First, so that whatever comes after is seen.
    tracing(),
    requestWatch(log, metrics),
    // Before anything that answers: they stand on every answer.
    settings.securityHeaders ? securityHeaders() : undefined,
    await crossOrigin(settings.corsOrigins),
    // Before the limit, which is not for those who look after the service.
    probes(health, metrics, refuse),
    limiter && rateLimit(limiter, refuse),
    pageStep(pages, refuse),
    graphqlSse,
    koaGraphql(graphql),
  ];
  const app = new Koa({ proxy: settings.trustProxy > 0, maxIpsCount: settings.trustProxy });
  for (const step of steps) if (step !== undefined) app.use(step);
  // The contract has an answer for every path that is left.
  app.use(koaTransport(rest, { unknownPaths: 'answer' }).routes());
  // The engine answers for what goes wrong within; a connection that its client broke off is nobody's failure.
  app.on('error', (error: Error, context?: Koa.Context) => {
    if (context?.writable !== false) log.error({ err: error }, 'a request failed outside of the contract');
  });
  return app;
}
