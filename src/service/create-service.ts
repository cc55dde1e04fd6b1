/** Puts the service together: the core over its store, and both contracts behind Koa. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import {
  type AttemptLimiter,
  type DemoSignIn,
  type Events,
  type IdentityProvider,
  type PasswordHasher,
  type Policy,
  type WriteHooks,
  type SecurityHandlers,
  type ServiceEngineOptions,
  type Services,
  type Storage,
  type TokenCodec,
  createServices,
  securityHandlers,
} from '@concordat/core';
import { contract } from '@concordat/core/contract';
import { argon2Hasher } from '@concordat/core/identity/argon2';
import type { HttpRequest } from '@concordat/runtime';
import type { ErrorPlace } from '@concordat/runtime/graphql';
import { xmlEncoder } from '@concordat/runtime/xml';
import { type Listener, listen } from './listen/listener.js';
import { type Watching, openBroker, openLimiters, openStore, opened } from './open/adapters.js';
import { openIdentityProvider, openTokens } from './open/identity.js';
import { type OwnGraphql, type OwnRest, openMcp, openPages } from './open/contract-endpoints.js';
import { compileRest, engineOf, responseChecks } from './open/own-contract.js';
import { openLazyGraphql } from './open/lazy-graphql.js';
import { type ServiceEvents, openOutbox, runOutbox } from './open/outbox.js';
import { prepareStore } from './open/prepare-store.js';
import { originGuard, requestCount, hasConsole, isOpenByDefault } from './guards/request-guards.js';
import { createServer } from './server/server.js';
import { type Settings, readSettings } from './settings/settings.js';
import { deleteExpiredRecords, openHealth } from './open/repeated-work.js';
import type { Health } from './watch/health.js';
import { rejectionLog } from './watch/failure-log.js';
import { type Log, openLog } from './watch/log.js';
import type { Metrics } from './watch/metrics.js';
import { deliveryMeasure, readStates } from './watch/watched-parts.js';
import { noteCallers } from './watch/request-watch.js';

/** The parts that an application supplies itself. The settings decide about all others. */
export interface ServiceOptions {
  /** Settings that differ from their defaults; `readSettings(process.env)` reads all of them from the environment. */
  readonly settings?: Partial<Settings>;
  /** Used in place of the store that `database` names. The application closes it. */
  readonly storage?: Storage;
  /** Used in place of the broker that `events` names. The application closes it. */
  readonly events?: Events;
  /** False to refuse a store that lacks migrations instead of running them; true unless given. */
  readonly migrate?: boolean;
  /** The table of rights, in place of the one that `policy` of the settings names. */
  readonly policy?: Policy;
  /** The application's code before writes, and inside their transactions, by the actions of the policy. */
  readonly hooks?: WriteHooks;
  /** Signs and reads tokens. Its methods may return promises, for example when another server signs the tokens. */
  readonly tokens?: TokenCodec;
  /** Identify the callers of requests by their credentials, over REST and GraphQL. */
  readonly securityHandlers?: Partial<SecurityHandlers>;
  readonly passwordHasher?: PasswordHasher;
  readonly identityProvider?: IdentityProvider;
  /** Counts failed sign-ins. */
  readonly signInLimiter?: AttemptLimiter;
  /**
   * Adds the application's middleware and routes, which run before those of the service: after the log, the metrics, the check of
   * origins, CORS and the rate limit. A request that none of them answers reaches the service with `next()`, and the answer is then
   * in Koa's context. A promise that it returns is awaited.
   */
  readonly mount?: (app: Koa, services: Services) => unknown;
  /**
   * The path of an overlay that extends the core's contract with stored fields. It is compiled at the start, by the package `concordat`.
   */
  readonly contract?: string;
  /** The application's own OpenAPI contract, which extends the core's. */
  readonly rest?: OwnRest;
  /** The application's own GraphQL schema, which extends the core's. */
  readonly graphql?: OwnGraphql;
  /** Used in place of the log on stdout. */
  readonly log?: Log;
  /** Called with every error that is masked, or that an outage has caused, and its place; these errors are then not logged. */
  readonly report?: (error: unknown, where: HttpRequest | ErrorPlace) => void;
  /**
   * The exports of `@concordat/core/response-validators`, or of the generated `response-validators.ts` of the application's own contract.
   * With them, every answer is checked against the contract.
   */
  readonly checkResponses?: ServiceEngineOptions['checkResponses'];
}

/** The service, ready to accept connections. */
export interface Service {
  /** The Koa application, for an application that has its own server. */
  readonly app: Koa;
  readonly services: Services;
  readonly events: ServiceEvents;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly log: Log;
  /** A description of the store for people, such as `SQLite, ./data/service.db`. */
  readonly store: string;
  /** The sign-ins of the demo users, if there are any. */
  readonly demoSignIns: readonly DemoSignIn[];
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
  /** Serves subscriptions over WebSocket: a listener for the event `upgrade` of a server. {@link listen} registers it. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /**
   * Logs and counts a rejection that nothing handled: a listener for the event `unhandledRejection` of the process, which ends
   * without one. `concordat-service` registers it.
   */
  readonly unhandledRejection: (reason: unknown) => void;
  /** Listens on the address that the settings name. @throws when the address cannot be listened on */
  listen(): Promise<{ readonly url: string }>;
  /** Stops accepting, finishes the requests in flight, and closes what the service opened. */
  close(): Promise<void>;
}

/**
 * Opens the store, brings its schema up to date, and puts the service together.
 *
 * @throws an error that explains which part cannot be opened
 *
 * @example
 * ```ts
 * const service = await createService({ settings: readSettings(process.env), policy: tenantPolicy });
 * const { url } = await service.listen();
 * process.once('SIGTERM', () => void service.close());
 * ```
 */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const settings = { ...readSettings({}), ...options.settings };
  const log = options.log ?? (await openLog(settings.logLevel));
  return await opened(log, settings, (watching) => open(options, settings, watching));
}

async function open(options: ServiceOptions, settings: Settings, watching: Watching): Promise<Service> {
  const { log, failures, metrics, shutdown } = watching;
  const own = options.contract === undefined ? undefined : await compileRest(options.contract);
  const ownRest = options.rest ?? own;

  // The store and the event broker.
  const given = options.storage ?? {
    ...settings,
    migrate: options.migrate,
    contract: ownRest?.contract,
  };
  const { storage, description } = await openStore(given, watching);
  const events = await openBroker(options.events ?? settings.events, watching);
  const passwordHasher = options.passwordHasher ?? argon2Hasher();
  deleteExpiredRecords(storage, { ...watching, auditDays: settings.auditDays });
  const demoSignIns = await prepareStore(storage, passwordHasher, settings, {
    events,
    report: failures.aftermath,
  });

  // The services of the core.
  const limiters = await openLimiters(settings, watching);
  const { tokens: ownTokens, lastingSecrets, warnings } = openTokens(settings);
  const tokens = options.tokens ?? ownTokens;
  const identityProvider =
    options.identityProvider ??
    (await openIdentityProvider(settings, lastingSecrets, (reason) => {
      log.warn({ reason }, 'external sign-in failed');
    }));
  const services = createServices({
    storage,
    policy: options.policy ?? settings.policy,
    hooks: options.hooks,
    events,
    report: failures.aftermath,
    delivered: deliveryMeasure(metrics),
    passwordHasher,
    tokens,
    signInLimiter: options.signInLimiter ?? limiters.signIns,
    signInForm: settings.loginTokens,
    idempotencySecret: lastingSecrets,
    rotatesRefreshTokens: settings.rotateRefreshTokens,
    ...(settings.outbox && { outbox: await openOutbox(settings, watching) }),
    ...(limiters.signUps && { signUpLimiter: limiters.signUps }),
    ...(identityProvider && { identityProvider }),
  });
  readStates(services, tokens, metrics);
  shutdown.onClose(() => services.apiKeys.flush());

  // The handlers of both contracts, and the pages.
  const security = noteCallers({
    ...securityHandlers(services.authentication),
    ...options.securityHandlers,
  });
  const checks =
    options.checkResponses ?? (await responseChecks(options.rest, settings, own?.checkResponses));
  const { securitySchemes, xmlNames } = ownRest?.contract ?? contract;
  const rest = await engineOf(ownRest)({
    services,
    security,
    xml: xmlEncoder(xmlNames),
    report: options.report ?? failures.request,
    reportVersions: settings.reportVersions,
    ...(checks && { checkResponses: checks }),
  });
  const pages = await openPages(
    settings,
    hasConsole(options.policy, settings),
    demoSignIns,
    tokens.publicKeys ?? [],
    {
      rest: ownRest,
      schema: options.graphql?.typeDefs,
    },
  );
  const guard = originGuard(settings, isOpenByDefault(options.policy, settings));
  const countRequest = limiters.requests && requestCount(limiters.requests);
  const graphql = await openLazyGraphql(
    {
      services,
      metrics,
      security: options.securityHandlers,
      own: options.graphql,
      page: (request) => pages.graphiql.answer(request),
      guard,
      countRequest,
      report: options.report ?? failures.field,
      reportSocket: (error) => failures.other(error, 'a WebSocket failed'),
    },
    settings,
  );
  shutdown.onDrain(() => graphql.close());

  // The server.
  const health = openHealth({ storage, events }, watching);
  const app = await createServer(
    {
      rest,
      securitySchemes,
      graphql: graphql.http,
      mcp: await openMcp(rest, settings, ownRest),
      pages,
      log,
      failures,
      metrics,
      health,
      guard,
      countRequest,
      countConsole: requestCount(limiters.console),
      mount: options.mount && ((application) => options.mount?.(application, services)),
    },
    settings,
  );
  let listener: Listener | undefined;
  let closed: Promise<void> | undefined;
  return {
    app,
    services,
    events: runOutbox(services.outbox, settings, watching),
    health,
    metrics,
    log,
    store: description,
    demoSignIns,
    warnings: [...settings.warnings, ...(options.tokens === undefined ? warnings : [])],
    handleUpgrade: graphql.handleUpgrade,
    unhandledRejection: rejectionLog(watching),
    async listen() {
      listener = await listen({
        answer: app.callback(),
        settings,
        refuse: rest.refuse,
        isLocal: isOpenByDefault(options.policy, settings),
        warn: log.warn.bind(log),
        report: (error) => failures.other(error, 'a connection could not be accepted'),
      });
      listener.server.on('upgrade', graphql.handleUpgrade);
      graphql.warmUp();
      return { url: listener.url };
    },
    close: () => (closed ??= shutdown.stop(listener, settings)),
  };
}
