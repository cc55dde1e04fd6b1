/** Events through publish and subscribe of a Redis server. */
import { Redis } from 'ioredis';
import type { Events } from '../ports/events.js';
import {
  type BrokerConnection,
  BrokerEvents,
  type BrokerEventsOptions,
  type ConnectionHandlers,
} from './broker-events.js';

export interface RedisEventsOptions extends BrokerEventsOptions {
  /** A `redis://` or `rediss://` URL. */
  readonly url: string;
}

/**
 * Opens two connections to a Redis server, because a connection that subscribes cannot publish. The topic is the channel, and
 * the id is the message; all databases of a Redis server share their channels.
 *
 * @typeParam More the application's own topics
 * @throws ServiceError `unavailable` when the server does not answer
 *
 * @example
 * ```ts
 * const events = await redisEvents({ url: 'redis://localhost:6379' });
 * ```
 */
export async function redisEvents<More extends string = never>({
  url,
  ...options
}: RedisEventsOptions): Promise<Events<More>> {
  return await BrokerEvents.open((handlers) => connect(url, handlers), options);
}

async function connect(url: string, { received, lost }: ConnectionHandlers): Promise<BrokerConnection> {
  const clients = [open(url), open(url)] as const;
  const [publisher, subscriber] = clients;
  const close = (): Promise<void> => {
    for (const client of clients) client.disconnect();
    return Promise.resolve();
  };
  for (const client of clients) {
    client.on('error', lost);
    client.on('close', () => lost('Redis has closed the connection'));
  }
  subscriber.on('message', received);
  try {
    await Promise.all(clients.map((client) => client.connect()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    listen: async (topic) => {
      await subscriber.subscribe(topic);
    },
    publish: async (topic, id) => {
      await publisher.publish(topic, id);
    },
    ping: async () => {
      await Promise.all(clients.map((client) => client.ping()));
    },
    close,
  };
}

/** A client that does not reconnect by itself, and never sends anything twice. */
function open(url: string): Redis {
  return new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    retryStrategy: () => null,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
  });
}
