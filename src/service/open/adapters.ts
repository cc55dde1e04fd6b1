/** Opens the store, the event broker and the limiters that the settings name. Adapters are loaded on demand, because their packages are optional. */

import {
  type AttemptLimiter,
  type DatabaseObserver,
  type Events,
  type EventsObserver,
  type FieldsContract,
  type Storage,
  serverUrls,
} from '@concordat/core';
import type { DatabaseSettings, EventsSetting } from '../settings/data.js';
import { type FailureLog, failureLog } from '../watch/failure-log.js';
import type { Log } from '../watch/log.js';
import { Metrics } from '../watch/metrics.js';
import { openSpans } from '../watch/tracing.js';
import { type LimiterKind, watchedEvents, watchedLimiter } from '../watch/watched-parts.js';
import { databaseObserver } from '../watch/database-observer.js';
import { type Waiting, explained } from './explained.js';
import { memoryAttemptLimiter } from '@concordat/core/limits/memory';
import type { Settings } from '../settings/settings.js';
import { Shutdown } from '../listen/shutdown.js';

/** A store, with its description for the start message. */
export interface OpenedStorage {
  readonly storage: Storage;
  readonly description: string;
}

/** The settings of a store; only the first is required. */
export type OpenedSettings = Pick<DatabaseSettings, 'database'> &
  Partial<DatabaseSettings> & {
    /** False to run no migration: {@link StorageObserver.onMigration} is then called with those that have not run. */
    readonly migrate?: boolean | 'exactly' | undefined;
    /** The contract of the application, whose fields are stored. */
    readonly contract?: FieldsContract | undefined;
  };

export interface StorageObserver {
  /** Called with the name of each migration that ran. */
  readonly onMigration?: (name: string) => void;
  /** Called with the name of each migration of a later version that has run. */
  readonly onLaterMigration?: (name: string) => void;
  /** Called with the error of an idle connection that breaks. */
  readonly onConnectionError?: (error: Error) => void;
  readonly observer?: DatabaseObserver;
  /** Waits for a PostgreSQL that does not answer yet. */
  readonly waiting?: Waiting | undefined;
}

/** @throws an error that explains why the store cannot be opened or migrated */
export async function openStorage(
  { database, databasePooler, databaseDirectUrl, databasePoolSize, migrate, contract }: OpenedSettings,
  { waiting, ...observed }: StorageObserver = {},
): Promise<OpenedStorage> {
  switch (database.kind) {
    case 'memory': {
      const { memoryStorage } = await import('@concordat/core/storage/memory');
      return {
        storage: memoryStorage({ contract, observer: observed.observer }),
        description: 'memory, gone when the service stops',
      };
    }
    case 'sqlite': {
      const { sqliteStorage } = await import('@concordat/core/storage/sqlite');
      return {
        storage: await sqliteStorage({ ...observed, path: database.path, migrate, contract }),
        description: `SQLite, ${database.path}`,
      };
    }
    case 'postgres': {
      const { postgresStorage } = await import('@concordat/core/storage/postgres');
      const { url } = database;
      const servers = serverUrls(url).map((each) => new URL(each));
      const open = () =>
        postgresStorage({
          ...observed,
          url,
          pooler: databasePooler,
          directUrl: databaseDirectUrl,
          poolSize: databasePoolSize,
          migrate,
          contract,
        });
      return {
        storage: await explained('PostgreSQL', 'DATABASE_URL', open, waiting),
        description: `PostgreSQL, ${servers.map(({ host }) => host).join(',')}${servers[0]?.pathname ?? ''}`,
      };
    }
  }
}

/** @throws an error that explains why the broker cannot be used */
export async function openEvents(
  setting: EventsSetting,
  observerOf?: (broker: string) => EventsObserver,
  waiting?: Waiting,
): Promise<Events> {
  switch (setting.kind) {
    case 'memory': {
      const { memoryEvents } = await import('@concordat/core/events/memory');
      return memoryEvents();
    }
    case 'postgres': {
      const { postgresEvents } = await import('@concordat/core/events/postgres');
      const observer = observerOf?.('PostgreSQL');
      const open = () => postgresEvents({ url: setting.url, observer });
      return await explained('PostgreSQL', 'EVENTS_URL', open, waiting);
    }
    case 'redis': {
      const { redisEvents } = await import('@concordat/core/events/redis');
      const observer = observerOf?.('Redis');
      const open = () => redisEvents({ url: setting.url, observer });
      return await explained('Redis', 'EVENTS_URL', open, waiting);
    }
  }
}

/** Where the parts that are opened here report what happens to them, and the shutdown that closes them. */
export interface Watching {
  readonly log: Log;
  readonly failures: FailureLog;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
  /** The time from which a statement of the database is logged, in milliseconds. */
  readonly slowMs: number;
  readonly waiting: Waiting;
}

/** Opens a server whose parts report to the log. If it cannot start, what it has opened is closed. */
export async function opened<Server>(
  log: Log,
  { startWaitSeconds, slowStatementMs: slowMs }: Pick<Settings, 'startWaitSeconds' | 'slowStatementMs'>,
  open: (watching: Watching) => Promise<Server>,
): Promise<Server> {
  const shutdown = new Shutdown();
  const waiting = { seconds: startWaitSeconds, report: (line: string) => log.warn(line) };
  try {
    return await open({ log, failures: failureLog(log), metrics: new Metrics(), shutdown, slowMs, waiting });
  } catch (error) {
    // The reason why it does not start matters more than errors while closing.
    await shutdown.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Opens the store of the service, until it stops.
 *
 * @param given - the store of the application, which closes it, or the settings
 * @throws as {@link openStorage}
 */
export async function openStore(
  given: Storage | OpenedSettings,
  { log, failures, metrics, shutdown, slowMs, waiting }: Watching,
): Promise<OpenedStorage> {
  if (!('database' in given)) return { storage: given, description: 'a store of the application' };
  const { kind } = given.database;
  const system = kind === 'postgres' ? 'postgresql' : kind;
  const opened = await openStorage(given, {
    onConnectionError: (error) => failures.other(error, 'an idle connection to the database broke'),
    onLaterMigration: (name) => {
      log.warn(`a later version has expanded the database by ${name}; this version uses it as it is`);
    },
    observer: await databaseObserver(metrics, log, system, slowMs),
    waiting,
  });
  shutdown.onClose(() => opened.storage.close());
  if (given.migrate === false) await opened.storage.ping();
  return opened;
}

/**
 * Opens the events of the service, until it stops.
 *
 * @param given - the events of the application, which closes them, or the setting
 * @throws an error that explains why the broker cannot be used
 */
export async function openBroker(given: Events | EventsSetting, watching: Watching): Promise<Events> {
  if (!('kind' in given)) return watchedEvents(given, watching.metrics);
  const events = await openEvents(given, (broker) => observerOf(broker, watching), watching.waiting);
  watching.shutdown.onClose(() => events.close());
  return watchedEvents(events, watching.metrics, await openSpans());
}

function observerOf(broker: string, { log, failures, metrics }: Watching): EventsObserver {
  const lost = metrics.measure('brokerConnections', 'lost');
  const restored = metrics.measure('brokerConnections', 'restored');
  return {
    lost: (cause) => {
      lost();
      failures.other(cause, 'the connection for events is lost; trying to connect again');
    },
    restored: (since) => {
      restored();
      log.warn(
        { broker, missedSince: since },
        `the connection for events is restored; events since ${since} may have been missed, and posts are read from the store instead`,
      );
    },
  };
}

export interface Limiters {
  /** Ten failures per minute. */
  readonly signIns: AttemptLimiter;
  /** Requests for the page of the console. */
  readonly console: AttemptLimiter;
  /** Undefined when the settings set no limit. */
  readonly signUps: AttemptLimiter | undefined;
  /** Undefined when the settings set no limit. */
  readonly requests: AttemptLimiter | undefined;
}

const MINUTE = 60;

export async function openLimiters(
  { events, rateLimit, signUpLimit }: Pick<Settings, 'events' | 'rateLimit' | 'signUpLimit'>,
  { failures, metrics, shutdown }: Pick<Watching, 'failures' | 'metrics' | 'shutdown'>,
): Promise<Limiters> {
  const make = await opener(events, failures, shutdown);
  const open = (attempts: number, kind: LimiterKind) => watchedLimiter(make(attempts), kind, metrics);
  return {
    signIns: open(10, 'sign-in'),
    console: open(30, 'console'),
    signUps: signUpLimit === undefined ? undefined : open(signUpLimit, 'sign-up'),
    requests: rateLimit === undefined ? undefined : open(rateLimit, 'request'),
  };
}

/** @returns a function that makes a limiter for a number of attempts per minute */
async function opener(
  events: Settings['events'],
  failures: FailureLog,
  shutdown: Shutdown,
): Promise<(attempts: number) => AttemptLimiter> {
  if (events.kind !== 'redis') return (attempts) => memoryAttemptLimiter({ attempts, seconds: MINUTE });
  const { redisAttemptLimiter } = await import('@concordat/core/limits/redis');
  const onError = (error: Error): void =>
    failures.other(error, 'Redis does not count attempts; this process counts by itself');
  return (attempts) => {
    const limiter = redisAttemptLimiter({ url: events.url, attempts, seconds: MINUTE, onError });
    shutdown.onClose(() => limiter.close());
    return limiter;
  };
}
