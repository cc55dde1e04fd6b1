/** Events through publish and subscribe of a Redis server, or of one shard of a cluster. */
import { serverUrls } from '../servers/server-urls.js';
import type { Events } from '../ports/events.js';
import { connectedServer, isCluster, masterUrlOf, openRedis } from '../servers/redis-servers.js';
import {
  type BrokerConnection,
  BrokerEvents,
  type BrokerEventsOptions,
  type ConnectionHandlers,
} from './broker-events.js';

export interface RedisEventsOptions extends BrokerEventsOptions {
  /**
   * A `redis://` or `rediss://` URL. Several hosts are nodes of a cluster; with `?sentinel=name`, they are Sentinels, and `name` is that
   * of the master. `sentinelUsername` and `sentinelPassword` are for the Sentinels.
   */
  readonly url: string;
}

/**
 * Opens two connections to a Redis server, because a connection that subscribes cannot publish. The topic is the channel, and
 * the id is the message; all databases of a Redis server share their channels. In a cluster, all topics are sharded channels of one slot,
 * so that its other nodes have no work with them. After a failover, the connections are opened to the new master.
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
  const [first] = serverUrls(url);
  const { hostname, port } = new URL(first);
  return await BrokerEvents.open((handlers) => connect(url, handlers), {
    ...options,
    server: { host: hostname || 'localhost', port: Number(port) || 6379 },
  });
}

/** The hash tag of all channels in a cluster: a ping is answered by the node that delivers the events. */
const tag = '{concordat}';

async function connect(url: string, { received, lost }: ConnectionHandlers): Promise<BrokerConnection> {
  const isSharded = isCluster(url);
  const master = isSharded ? await masterUrlOf(url, tag, clientOptions) : url;
  const clients = [openRedis(master, clientOptions), openRedis(master, clientOptions)] as const;
  const [publisher, subscriber] = clients;
  const close = (): Promise<void> => {
    for (const client of clients) client.disconnect();
    return Promise.resolve();
  };
  /** Why a client does not connect: its own rejection only reports that the connection is closed. */
  let fault: Error | undefined;
  for (const client of clients) {
    client.on('error', (error) => {
      fault ??= error;
      lost(error);
    });
    client.on('close', () => lost(new Error('Redis has closed the connection')));
  }
  subscriber.on('message', received);
  subscriber.on('smessage', (channel: string, id: string) => received(channel.slice(tag.length), id));
  subscriber.on('moved', () => lost(new Error('another node of the cluster serves the events now')));
  /** After a failover, a server that lives on as a replica still accepts events, which the new master does not get. */
  const requireMaster = async (): Promise<void> => {
    // The user may lack the right to ask.
    const [role] = await publisher.role().catch((): unknown[] => []);
    if (role === 'slave') throw new Error('the server is a replica');
  };
  try {
    await Promise.all(clients.map((client) => client.connect()));
    await requireMaster();
  } catch (error) {
    await close();
    throw fault ?? error;
  }
  const server = connectedServer(url, subscriber);
  return {
    ...(server && { server }),
    listen: async (topic) => {
      await (isSharded ? subscriber.ssubscribe(tag + topic) : subscriber.subscribe(topic));
    },
    check: () =>
      requireMaster().catch((error: unknown) => {
        lost(error);
        throw error;
      }),
    publish: async (topic, id) => {
      if (!isSharded) await publisher.publish(topic, id);
      else {
        await publisher.spublish(tag + topic, id).catch((error: unknown) => {
          // The node refuses the command, because the channels have moved to another node of the cluster.
          lost(error);
          throw error;
        });
      }
    },
    close,
  };
}

/** A client does not reconnect by itself, and never sends anything twice. */
const clientOptions = {
  lazyConnect: true,
  connectTimeout: 5_000,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
} as const;
