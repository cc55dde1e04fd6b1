/** A Redis with a replica, and Sentinels that watch both. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { RedisServer } from './redis-server.js';
import { until } from './until.js';

/** The name of the master. */
const NAME = 'concordat';

/** Sends commands over a connection of its own. */
export async function askRedis<T>(
  server: RedisServer,
  work: (client: Redis) => Promise<T>,
  password?: string,
): Promise<T> {
  const client = new Redis(server.url, { retryStrategy: () => null, ...(password && { password }) });
  client.on('error', () => undefined);
  return await work(client).finally(() => client.disconnect());
}

export interface SentinelOptions {
  /** The number of Sentinels. The master fails over if all but one agree, or when {@link RedisSentinels.failOver} asks one. */
  readonly count: number;
  /** The milliseconds without an answer after which a Sentinel counts the master as down. */
  readonly downAfterMs: number;
  /** The password that the Sentinels ask for. */
  readonly password?: string;
}

export class RedisSentinels {
  readonly master: RedisServer;
  /** The URL of the service. */
  readonly url: string;
  readonly #servers: readonly RedisServer[];
  readonly #sentinels: readonly RedisServer[];
  readonly #directory: string;
  readonly #password: string | undefined;

  private constructor(
    [master, replica]: readonly [RedisServer, RedisServer],
    sentinels: readonly RedisServer[],
    directory: string,
    password: string | undefined,
  ) {
    this.master = master;
    this.#servers = [master, replica, ...sentinels];
    this.#sentinels = sentinels;
    this.#directory = directory;
    this.#password = password;
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${String(port)}`).join();
    const secret = password === undefined ? '' : `&sentinelPassword=${encodeURIComponent(password)}`;
    this.url = `redis://${hosts}?sentinel=${NAME}${secret}`;
  }

  static async start({ count, downAfterMs, password }: SentinelOptions): Promise<RedisSentinels> {
    // By default, a master waits five seconds for further replicas.
    const master = await RedisServer.start('--repl-diskless-sync-delay', '0');
    const replica = await RedisServer.start('--replicaof', '127.0.0.1', String(master.port));
    await until('it replicates', async () =>
      (await askRedis(replica, (client) => client.info('replication'))).includes('link_status:up'),
    );
    const directory = mkdtempSync(join(tmpdir(), 'concordat-redis-'));
    const lines = [
      ...(password === undefined ? [] : [`requirepass "${password}"`]),
      `sentinel monitor ${NAME} 127.0.0.1 ${String(master.port)} ${String(Math.max(1, count - 1))}`,
      `sentinel down-after-milliseconds ${NAME} ${String(downAfterMs)}`,
      `sentinel failover-timeout ${NAME} 3000`,
    ];
    const sentinels = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const file = join(directory, `${String(index)}.conf`);
        writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
        return await RedisServer.start(file, '--sentinel');
      }),
    );
    const started = new RedisSentinels([master, replica], sentinels, directory, password);
    await until('the Sentinels know each other and the replica', async () => {
      const known = await Promise.all(
        sentinels.map((each) => started.#ask(each, (client) => client.call('SENTINEL', 'MASTER', NAME))),
      );
      const wanted = `num-slaves,1,num-other-sentinels,${String(count - 1)}`;
      return known.every((each) => String(each).includes(wanted));
    });
    return started;
  }

  /** Makes a Sentinel promote the replica without waiting until the master counts as down. */
  async failOver(): Promise<void> {
    const [first] = this.#sentinels;
    if (first !== undefined) await this.#ask(first, (client) => client.call('SENTINEL', 'FAILOVER', NAME));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.kill()));
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #ask<T>(server: RedisServer, work: (client: Redis) => Promise<T>): Promise<T> {
    return askRedis(server, work, this.#password);
  }
}
