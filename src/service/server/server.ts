/** The service's Koa application: its middleware, in order. */

import Koa from 'koa';
import { type SendResponse, koaTransport, pathOf } from '@concordat/runtime/koa';
import type { Caller } from '@concordat/core';
import type { HttpHandler, Problem, RestEngine, SecurityScheme } from '@concordat/runtime';
import type { FailureLog } from '../watch/failure-log.js';
import type { Log } from '../watch/log.js';
import type { Settings } from '../settings/settings.js';
import { CredentialHeaders, crossOrigin, securityHeaders, sendThroughKoa, sendWith } from './send.js';
import { ASSETS_FOLDER } from '../pages/assets.js';
import type { Page } from '../pages/page.js';
import type { Pages } from '../pages/pages.js';
import type { Metrics } from '../watch/metrics.js';
import type { OriginGuard, RequestCount } from '../guards/request-guards.js';
import { pageHandler, probePages, type Refuse } from './endpoints.js';
import type { Health } from '../watch/health.js';
import { requestWatch } from '../watch/request-watch.js';
import { tracing } from '../watch/tracing.js';

/** The parts of the application. */
interface ServerParts {
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
  readonly failures: FailureLog;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly guard: OriginGuard;
  /** Undefined for no limit. */
  readonly countRequest: RequestCount | undefined;
  /** The limit of the console's page. */
  readonly countConsole: RequestCount;
  /** Adds the middleware and routes of the application, which run before the service's own. */
  readonly mount: ((app: Koa) => unknown) | undefined;
}

const CONSOLE = '/console';

type ServerSettings = Pick<Settings, 'trustProxy' | 'corsOrigins' | 'securityHeaders'>;

/**
 * Creates the application, with its steps in the order of a request. A step that the settings disable is undefined. The application's
 * own steps follow those that watch and guard all requests.
 */
export async function createServer(parts: ServerParts, settings: ServerSettings): Promise<Koa> {
  const {
    rest,
    securitySchemes,
    graphql,
    mcp,
    pages,
    log,
    failures,
    metrics,
    health,
    guard,
    countRequest,
    countConsole,
    mount,
  } = parts;
  const { refuse } = rest;
  const report = (error: unknown): void => {
    failures.other(error, 'a request failed outside of the contract');
  };
  const fixed = settings.securityHeaders ? securityHeaders() : {};
  const credentials = new CredentialHeaders(securitySchemes);
  const { setHeaders, send } =
    mount === undefined
      ? { setHeaders: undefined, send: sendWith(fixed, report, credentials) }
      : sendThroughKoa(fixed, credentials);
  const probes = probePages(health, metrics, settings.trustProxy > 0);
  const serve = (page: Page): Koa.Middleware =>
    named(page.name, koaTransport(pageHandler(page, refuse), { send }));
  const byPath = new Map<string, Koa.Middleware>([
    ...[...probes, ...pages.byPath].map(([path, page]) => [path, serve(page)] as const),
    ['/graphql', named('graphql', koaTransport(graphql, { send }))],
    ...(mcp === undefined ? [] : [['/mcp', named('mcp', koaTransport(mcp, { send }))] as const]),
  ]);
  const steps: readonly (Koa.Middleware | undefined)[] = [
    // First, so that it covers everything after it.
    await tracing(),
    requestWatch(log, metrics),
    setHeaders,
    // Before any step that acts on the request of a page of another origin.
    (context, next): Promise<unknown> => {
      const problem = guard.findProblem(context.req);
      return problem === undefined ? next() : answerWith(problem, refuse, send, context);
    },
    await crossOrigin(settings.corsOrigins, fixed),
    countRequest && rateLimit(countRequest, (path) => !probes.has(path), refuse, send),
    pages.byPath.has(CONSOLE) ? rateLimit(countConsole, (path) => path === CONSOLE, refuse, send) : undefined,
  ];
  const app = new Koa({ proxy: settings.trustProxy > 0, maxIpsCount: settings.trustProxy });
  for (const step of steps) if (step !== undefined) app.use(step);
  await mount?.(app);
  // Every path outside of the contract.
  app.use((context, next): unknown => {
    const path = pathOf(context);
    const asset = path.startsWith(ASSETS_FOLDER) ? pages.findAsset(path) : undefined;
    const answer = asset === undefined ? byPath.get(path) : serve(asset);
    return answer === undefined ? next() : answer(context, next);
  });
  // The engine answers every remaining path.
  app.use(koaTransport(rest, { unknownPaths: 'answer', send }).routes());
  // The engine answers its own errors. A connection that the client closed early is not a failure.
  app.on('error', (error: Error, context?: Koa.Context) => {
    if (context?.writable !== false) report(error);
  });
  return app;
}

/** Names the operation before it has answered, for the log of a request whose client does not wait for that. */
function named(operation: string, answer: Koa.Middleware): Koa.Middleware {
  return (context, next): unknown => {
    context.state['operation'] = operation;
    return answer(context, next);
  };
}

/** @param isCounted - whether requests for a path are counted */
function rateLimit(
  countRequest: RequestCount,
  isCounted: (path: string) => boolean,
  refuse: Refuse,
  send: SendResponse,
): Koa.Middleware {
  return async (context, next) => {
    const problem = isCounted(pathOf(context)) ? await countRequest(context.ip) : undefined;
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
