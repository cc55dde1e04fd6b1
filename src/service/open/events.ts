/** Opens the events adapter that the settings name. Adapters are loaded on demand, because their packages are optional. */

import type { Events, EventsObserver } from '@concordat/core';
import type { Log } from '../watch/log.js';
import type { EventsSetting } from '../settings/data.js';

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
