/** Runs the service: the core over its store, behind Koa. Reads from top to bottom as it starts, and stops in reverse. */

import { setTimeout } from 'node:timers/promises';
import { contract } from '@concordat/core/contract';
import { xmlEncoder } from 'concordat/xml';
import { argon2Hasher } from '@concordat/core/identity/argon2';
import {
  type DemoSignIn,
  type ServiceEngineOptions,
  type Services,
  createServices,
  serviceEngine,
} from '@concordat/core';
import type { ErrorPlace } from 'concordat/graphql';
import type { ResponseChecks, HttpRequest } from 'concordat';
import { createServer } from './server/server.js';
import { Metrics } from './watch/metrics.js';
import { healthOf } from './watch/health.js';
import { type Listener, listen } from './listen/listener.js';
import { type Log, openLog } from './watch/log.js';
import { openEvents } from './open/events.js';
import { openGraphql } from './open/graphql.js';
import { openGraphqlWs } from './open/graphql-ws.js';
import { openIdentityProvider } from './open/identity-provider.js';
import { openLimiters } from './open/limiters.js';
import { openPages } from './open/pages.js';
import { openStorage } from './open/storage.js';
import { openTokens } from './open/tokens.js';
import { prepareStore } from './open/prepare-store.js';
import {
  reportAftermathTo,
  reportSocketTo,
  reportFieldTo,
  reportRequestTo,
} from './watch/report-failures.js';
import type { Settings } from './settings/settings.js';
import { Shutdown } from './listen/shutdown.js';

/** A service that accepts connections. */
export interface RunningService {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Where the data is, in words. */
  readonly store: string;
  /** The core that it serves. */
  readonly services: Services;
  /** How to sign in as the demo users, where there are any. */
  readonly demoSignIns: readonly DemoSignIn[];
  /** What whoever runs it should know. */
  readonly warnings: readonly string[];
  /** Stops accepting, finishes what is in flight, and closes the store. */
  stop(): Promise<void>;
}

/** What whoever runs the service may watch; tests do. */
export interface ServeOptions extends Partial<Pick<ServiceEngineOptions, 'checkResponses'>> {
  /** Told of every error that was masked, and where in which protocol; by default the log is. */
  readonly report?: (error: unknown, where: HttpRequest | ErrorPlace) => void;
  /** Where the service writes what happens; by default where its settings say. */
  readonly log?: Log;
}

/** Opens the store, brings it up to date, and waits until the service accepts connections. */
export async function serve(settings: Settings, options: ServeOptions = {}): Promise<RunningService> {
  const shutdown = new Shutdown();
  try {
    return await start(settings, options, shutdown);
  } catch (error) {
    // What cannot be closed either is not why it does not start.
    await shutdown.close().catch(() => undefined);
    throw error;
  }
}

async function start(settings: Settings, options: ServeOptions, shutdown: Shutdown): Promise<RunningService> {
  const log = options.log ?? (await openLog(settings.logLevel));
  const metrics = new Metrics();

  // What holds the data.
  const { storage, description } = await openStorage(settings.database);
  shutdown.onClose(() => storage.close());
  const events = await openEvents(settings.events, log);
  shutdown.onClose(() => events.close());
  const passwordHasher = argon2Hasher();
  const demoSignIns = await prepareStore(storage, passwordHasher, settings);

  // What the service can do.
  const limiters = await openLimiters(settings, shutdown);
  const { tokens, accessSecret, warnings } = openTokens(settings);
  const identityProvider = await openIdentityProvider(settings, accessSecret, (reason) => {
    log.warn({ reason }, 'external sign-in failed');
  });
  const services = createServices({
    storage,
    policy: settings.policy,
    events,
    report: reportAftermathTo(log),
    passwordHasher,
    tokens,
    signInLimiter: limiters.signIns,
    signInForm: settings.loginTokens,
    rotatesRefreshTokens: settings.rotateRefreshTokens,
    ...(identityProvider && { identityProvider }),
  });
  shutdown.onClose(() => services.apiKeys.flush());

  // The contracts over it.
  const checks = options.checkResponses ?? (await responseChecks(settings));
  const rest = serviceEngine({
    services,
    xml: xmlEncoder(contract.xmlNames),
    report: options.report ?? reportRequestTo(log),
    reportVersions: settings.reportVersions,
    ...(checks && { checkResponses: checks }),
  });
  const pages = await openPages(settings, demoSignIns);
  const graphql = await openGraphql(
    {
      services,
      metrics,
      page: (request) => pages.graphiql.answer(request),
      report: options.report ?? reportFieldTo(log),
    },
    settings,
  );

  // What serves them.
  const health = healthOf(
    [
      { name: 'store', ping: () => storage.ping() },
      { name: 'event broker', ping: () => events.ping() },
    ],
    () => shutdown.isStopping,
  );
  shutdown.onDrain(() => {
    graphql.http.close();
  });
  const app = await createServer(
    {
      rest,
      graphql: graphql.http,
      pages,
      log,
      metrics,
      health,
      limiter: limiters.requests,
    },
    settings,
  );
  const answer = app.callback();
  const listener = await listen((request, response) => {
    // A connection that is kept would only be closed under its client's next request (RFC 9112 §9.6).
    if (shutdown.isStopping) response.setHeader('Connection', 'close');
    void answer(request, response);
  }, settings);
  const { engine, openSession } = graphql;
  const webSockets = openGraphqlWs({ engine, openSession, report: reportSocketTo(log) }, settings);
  listener.server.on('upgrade', webSockets.handleUpgrade);
  shutdown.onDrain(() => webSockets.close());

  let stopped: Promise<void> | undefined;
  return {
    url: listener.url,
    store: description,
    services,
    demoSignIns,
    warnings,
    stop: () => (stopped ??= stop(listener, shutdown, settings)),
  };
}

async function stop(listener: Listener, shutdown: Shutdown, settings: Settings): Promise<void> {
  shutdown.begin();
  await setTimeout(settings.stopDelaySeconds * 1000);
  const limitMs = settings.stopTimeoutSeconds * 1000;
  const closed = listener.close(limitMs);
  // A little longer: once the connections are broken off, the hooks that wait for them are done.
  await shutdown.drain(limitMs + 1000);
  await closed;
  await shutdown.close();
}

/** Loaded only where answers are checked. */
async function responseChecks({ checkResponses }: Settings): Promise<ResponseChecks | undefined> {
  return checkResponses ? await import('@concordat/core/response-validators') : undefined;
}
