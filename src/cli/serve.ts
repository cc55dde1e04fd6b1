/** Runs the service: the core over its store, behind Koa. Reads from top to bottom as it starts, and stops in reverse. */

import { setTimeout } from 'node:timers/promises';
import { contract } from '../../generated/routing.js';
import { xmlEncoder } from '../adapters/encoding/xml.js';
import { argon2Hasher } from '../adapters/identity/argon2.js';
import { memoryAttemptLimiter } from '../adapters/limits/memory.js';
import { type ServiceEngineOptions, serviceEngine } from '../core/operations/engine.js';
import type { DemoSignIn } from '../core/services/demo-data.js';
import { type Services, createServices } from '../core/services/services.js';
import type { ErrorPlace } from '../engine/graphql/index.js';
import type { ResponseChecks, RestRequest } from '../engine/index.js';
import { createDoor } from './door/door.js';
import { Metrics } from './door/metrics.js';
import { healthOf } from './health.js';
import { type Listener, listen } from './listener.js';
import { type Log, openLog } from './log.js';
import { openEvents } from './open-events.js';
import { type GraphqlParts, openGraphql } from './open-graphql.js';
import { openIdentityProvider } from './open-identity-provider.js';
import { openLimiter } from './open-limiter.js';
import { openStorage } from './open-storage.js';
import { openTokens } from './open-tokens.js';
import { prepareStore } from './prepare-store.js';
import type { Settings } from './settings.js';
import { Shutdown } from './shutdown.js';

/** A service that accepts connections. */
export interface RunningService {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Where the data is, in words. */
  readonly store: string;
  /** The core behind the door. */
  readonly services: Services;
  /** How to sign in, where demo data was made. */
  readonly demoSignIns: readonly DemoSignIn[];
  /** What whoever runs it should know. */
  readonly warnings: readonly string[];
  /** Stops accepting, finishes what is in flight, and closes the store. */
  stop(): Promise<void>;
}

/** What whoever runs the service may watch; tests do. */
export interface ServeOptions extends Partial<Pick<ServiceEngineOptions, 'checkResponses'>> {
  /** Told of every error that was masked, and where in which protocol; by default the log is. */
  readonly report?: (error: unknown, where: RestRequest | ErrorPlace) => void;
  /** Where the service writes what happens; by default where its settings say. */
  readonly log?: Log;
}

/** Opens the store, brings it up to date, and waits until the service accepts connections. */
export async function serve(settings: Settings, options: ServeOptions = {}): Promise<RunningService> {
  const shutdown = new Shutdown();
  try {
    return await start(settings, options, shutdown);
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

async function start(settings: Settings, options: ServeOptions, shutdown: Shutdown): Promise<RunningService> {
  const log = options.log ?? (await openLog(settings.logLevel));
  const metrics = new Metrics();
  const isStopping = (): boolean => shutdown.isStopping;

  // What holds the data.
  const { storage, description } = await openStorage(settings.database);
  shutdown.onClose(() => storage.close());
  const events = await openEvents(settings.events, log);
  shutdown.onClose(() => events.close());
  const passwordHasher = argon2Hasher();
  const demoSignIns = await prepareStore(storage, passwordHasher, settings);

  // What the service can do.
  const { tokens, accessSecret, warnings } = openTokens(settings);
  const identityProvider = await openIdentityProvider(settings, accessSecret, (reason) => {
    log.warn({ reason }, 'external sign-in failed');
  });
  const services = createServices({
    storage,
    policy: settings.policy,
    events,
    report: (error) => {
      log.error({ err: error }, 'an event was not told of');
    },
    passwordHasher,
    tokens,
    signInLimiter: memoryAttemptLimiter(),
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
    report: options.report ?? reportTo(log),
    reportVersions: settings.reportVersions,
    ...(checks && { checkResponses: checks }),
  });
  const graphql = await openGraphql(
    { services, metrics, report: options.report ?? reportFieldTo(log) },
    settings,
  );

  // The way in.
  const health = healthOf(
    [
      { name: 'store', ping: () => storage.ping() },
      { name: 'events', ping: () => events.ping() },
    ],
    isStopping,
  );
  const limiter = await openLimiter(settings);
  const door = await createDoor(
    { rest, graphql: graphql.http, log, metrics, health, limiter, isStopping },
    settings,
  );
  const answer = door.callback();
  const listener = await listen((request, response) => void answer(request, response), settings);

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
  const closed = listener.close(settings.stopTimeoutSeconds * 1000);
  await shutdown.drain();
  await closed;
  await shutdown.close();
}

/** Loaded only where answers are checked. */
async function responseChecks({ checkResponses }: Settings): Promise<ResponseChecks | undefined> {
  return checkResponses ? await import('../../generated/response-validators.js') : undefined;
}

/** Clients learn nothing of an error that nobody foresaw; the log has it, under the request's id. */
function reportTo(log: Log): ServiceEngineOptions['report'] {
  return (error, { method, path, headers }: RestRequest) => {
    log.error({ err: error, requestId: headers['x-request-id'], method, path }, 'a request failed');
  };
}

/** The same for a field of a GraphQL operation. */
function reportFieldTo(log: Log): GraphqlParts['report'] {
  return (error, { operationName, path }) => {
    log.error({ err: error, operationName, field: path?.join('.') }, 'a GraphQL field failed');
  };
}
