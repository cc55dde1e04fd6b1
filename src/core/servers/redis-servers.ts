/** The Redis servers of a URL: one, those that Sentinels watch, or a cluster. */
import { createConnection } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import {
  AbstractConnector,
  Cluster,
  Redis,
  type RedisOptions,
  type SentinelConnectionOptions,
  SentinelConnector,
} from 'ioredis';
import type { ServerAddress } from '../model/error.js';
import { nameLookup, withNames } from './names.js';
import { serverUrls } from './server-urls.js';

/** Connects to the server of its options, as the client's own connector does, with our look-up of its name. */
class NamedConnector extends AbstractConnector {
  readonly #options: RedisOptions;

  constructor(options: unknown) {
    super(2_000);
    this.#options = options as RedisOptions;
  }

  override connect() {
    const { host = 'localhost', port = 6_379, tls } = this.#options;
    this.connecting = true;
    this.stream = withNames((lookup) =>
      tls === undefined
        ? createConnection({ host, port, lookup })
        : connectSecurely({ host, port, lookup, ...tls }),
    );
    this.stream.once('error', (error: Error) => {
      this.firstError = error;
    });
    return Promise.resolve(this.stream);
  }

  override disconnect(): void {
    super.disconnect();
    // It would wait for the connection before it ends it.
    if ('connecting' in this.stream && this.stream.connecting) this.stream.destroy();
  }
}

/** Asks Sentinels for the master as the client's own connector does. */
class NamedSentinels extends SentinelConnector {
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
    // The types hide these methods: one opens the client of a Sentinel, the other asks it for the options of the master's socket.
    const own = this as unknown as {
      connectToSentinel: (sentinel: object, options?: object) => unknown;
      resolve: (sentinel: object) => Promise<object | null>;
    };
    const connect = own.connectToSentinel.bind(this);
    own.connectToSentinel = (sentinel, more) => connect(sentinel, { ...more, Connector: NamedConnector });
    const resolve = own.resolve.bind(this);
    own.resolve = async (sentinel) => {
      const master = await resolve(sentinel);
      return master && { ...master, lookup: uncancelledLookup };
    };
  }
}

/** Whether a URL lists nodes of a cluster: several hosts, which are not Sentinels. */
export function isCluster(url: string): boolean {
  return serverUrls(url).length > 1 && sentinelName(url) === null;
}

/** The options of a client. ioredis 6 would choose the form of replies, which stays that of ioredis 5. */
type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

/**
 * A client of one server, or of the master whose name is `?sentinel=` at the Sentinels of the URL. The client itself reads
 * `sentinelUsername` and `sentinelPassword` from the URL.
 */
export function openRedis(url: string, options: ClientOptions): Redis {
  const name = sentinelName(url);
  const [first] = serverUrls(url);
  if (name === null) return new Redis(first, { ...options, Connector: NamedConnector });
  const isEncrypted = url.startsWith('rediss:');
  return new Redis(first, {
    ...options,
    Connector: NamedSentinels,
    name,
    sentinels: nodesOf(url, 26_379),
    enableTLSForSentinelMode: isEncrypted,
    ...(isEncrypted && { sentinelTLS: {} }),
  });
}

/** The server that a connected client uses, where the URL does not name it: one of several, or the master of Sentinels. */
export function connectedServer(url: string, client: Redis | Cluster): ServerAddress | undefined {
  const isNamed = serverUrls(url).length === 1 && sentinelName(url) === null;
  if (isNamed || client instanceof Cluster) return undefined;
  const { remoteAddress: host, remotePort: port } = client.stream;
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** The look-ups of a cluster, and of the master of Sentinels, which cannot cancel them, end by themselves. */
const uncancelledLookup = nameLookup(new AbortController().signal);

/** A client of a cluster, or as {@link openRedis}. */
export function openRedisOrCluster(url: string, options: ClientOptions): Redis | Cluster {
  if (!isCluster(url)) return openRedis(url, options);
  const { username, password } = new URL(serverUrls(url)[0]);
  const credentials = {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
  const { enableOfflineQueue = true, ...redisOptions } = options;
  return new Cluster([...nodesOf(url, 6_379)], {
    enableOfflineQueue,
    dnsLookup: (host, done) =>
      uncancelledLookup(host, {}, (error, address) =>
        done(error, typeof address === 'string' ? address : ''),
      ),
    redisOptions: {
      ...redisOptions,
      Connector: NamedConnector,
      ...credentials,
      ...(url.startsWith('rediss:') && { tls: {} }),
    },
  });
}

/**
 * Asks the nodes of a cluster, one after the other, for the master of a key.
 *
 *
 * @returns its URL
 *
 * @throws the error of the first node
 */
export async function masterUrlOf(url: string, key: string, options: ClientOptions): Promise<string> {
  const errors: unknown[] = [];
  for (const node of serverUrls(url)) {
    const client = new Redis(node, { ...options, Connector: NamedConnector });
    client.on('error', (error) => errors.push(error));
    try {
      await client.connect();
      const slot = await client.cluster('KEYSLOT', key);
      const ranges = await client.cluster('SLOTS');
      const [, , master] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
      if (master === undefined) throw new Error(`no node of the cluster serves slot ${String(slot)}`);
      const [host, port] = master;
      const found = new URL(node);
      // A node that does not know its own address leaves it out.
      if (host) found.hostname = host.includes(':') ? `[${host}]` : host;
      found.port = String(port);
      return found.href;
    } catch (error) {
      errors.push(error);
    } finally {
      client.disconnect();
    }
  }
  throw errors[0];
}

function sentinelName(url: string): string | null {
  return new URLSearchParams(url.split('?')[1]).get('sentinel');
}

function nodesOf(url: string, defaultPort: number): { readonly host: string; readonly port: number }[] {
  return serverUrls(url).map((each) => {
    const { hostname, port } = new URL(each);
    return { host: hostname.replace(/^\[|\]$/g, '') || 'localhost', port: Number(port) || defaultPort };
  });
}
