/** Opens the store, the event broker and the limiters that the settings name. Adapters are loaded on demand, because their packages are optional. */

import type { AttemptLimiter, Events, EventsObserver, Storage } from '@concordat/core';
import type { DatabaseSetting, EventsSetting } from '../settings/data.js';
import type { Log } from '../watch/log.js';
import { memoryAttemptLimiter } from '@concordat/core/limits/memory';
import type { Settings } from '../settings/settings.js';
import type { Shutdown } from '../listen/shutdown.js';

/** A store, with its description for the start message. */
export interface OpenedStorage {
  readonly storage: Storage;
  readonly description: string;
}

/**
 * @param onMigration - called with the name of each migration that ran
 * @throws when the store cannot be opened or migrated
 */
export async function openStorage(
  database: DatabaseSetting,
  onMigration: (name: string) => void = () => undefined,
): Promise<OpenedStorage> {
  switch (database.kind) {
    case 'memory': {
      const { memoryStorage } = await import('@concordat/core/storage/memory');
      return { storage: memoryStorage(), description: 'memory, gone when the service stops' };
    }
    case 'sqlite': {
      const { sqliteStorage } = await import('@concordat/core/storage/sqlite');
      return {
        storage: await sqliteStorage({ path: database.path, onMigration }),
        description: `SQLite, ${database.path}`,
      };
    }
    case 'postgres': {
      const { postgresStorage } = await import('@concordat/core/storage/postgres');
      const { host, pathname } = new URL(database.url);
      return {
        storage: await postgresStorage({ url: database.url, onMigration }),
        description: `PostgreSQL, ${host}${pathname}`,
      };
    }
  }
}

/** @throws when the broker does not answer */
export async function openEvents(setting: EventsSetting, log: Log): Promise<Events> {
  switch (setting.kind) {
    case 'memory': {
      const { memoryEvents } = await import('@concordat/core/events/memory');
      return memoryEvents();
    }
    case 'postgres': {
      const { postgresEvents } = await import('@concordat/core/events/postgres');
      return await postgresEvents({ url: setting.url, observer: observerOf(log, 'PostgreSQL') });
    }
    case 'redis': {
      const { redisEvents } = await import('@concordat/core/events/redis');
      return await redisEvents({ url: setting.url, observer: observerOf(log, 'Redis') });
    }
  }
}

function observerOf(log: Log, broker: string): EventsObserver {
  return {
    lost: (cause) => {
      log.warn({ err: cause, broker }, 'the connection for events is lost; trying to connect again');
    },
    restored: (since) => {
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
  /** Undefined when the settings set no limit. */
  readonly signUps: AttemptLimiter | undefined;
  /** Undefined when the settings set no limit. */
  readonly requests: AttemptLimiter | undefined;
}

const MINUTE = 60;

export async function openLimiters(
  { events, rateLimit, signUpLimit }: Pick<Settings, 'events' | 'rateLimit' | 'signUpLimit'>,
  shutdown: Shutdown,
): Promise<Limiters> {
  const open = await opener(events, shutdown);
  return {
    signIns: open(10),
    signUps: signUpLimit === undefined ? undefined : open(signUpLimit),
    requests: rateLimit === undefined ? undefined : open(rateLimit),
  };
}

/** @returns a function that makes a limiter for a number of attempts per minute */
async function opener(
  events: Settings['events'],
  shutdown: Shutdown,
): Promise<(attempts: number) => AttemptLimiter> {
  if (events.kind !== 'redis') return (attempts) => memoryAttemptLimiter({ attempts, seconds: MINUTE });
  const { redisAttemptLimiter } = await import('@concordat/core/limits/redis');
  return (attempts) => {
    const limiter = redisAttemptLimiter({ url: events.url, attempts, seconds: MINUTE });
    shutdown.onClose(() => limiter.close());
    return limiter;
  };
}
