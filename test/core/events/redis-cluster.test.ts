/** Runs the Redis events with real clusters and Sentinels, which lose a master. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Recorder } from '../../../src/core/conformance/events.js';
import { redisEvents } from '../../../src/core/events/redis.js';
import { redisAttemptLimiter } from '../../../src/core/limits/redis.js';
import { freePort } from '../../support/free-port.js';
import { RedisServer, withRedis } from '../../support/redis-server.js';
import { RedisSentinels, askRedis } from '../../support/redis-sentinels.js';
import { until } from '../../support/until.js';
import { type Broker, testBroker } from './broker-suite.js';

const directories: string[] = [];
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'concordat-redis-'));
  directories.push(directory);
  return directory;
}

/** Three masters, each with a third of the slots; the first has that of the events. */
class RedisCluster implements Broker {
  readonly #busPorts = new Map<RedisServer, number>();
  nodes: readonly RedisServer[] = [];

  get url(): string {
    return `redis://${this.nodes.map(({ port }) => `127.0.0.1:${String(port)}`).join()}`;
  }

  async start(): Promise<void> {
    this.nodes = [await this.#node(), await this.#node(), await this.#node()];
    const [first = await this.#node()] = this.nodes;
    const slot = await askRedis(first, (client) => client.cluster('KEYSLOT', '{concordat}'));
    const thirds = [
      [0, 5_460],
      [5_461, 10_922],
      [10_923, 16_383],
    ] as const;
    const ranges = thirds.toSorted((range) => (range[0] <= slot && slot <= range[1] ? -1 : 1));
    for (const [index, node] of this.nodes.entries()) {
      await askRedis(node, async (client) => {
        await client.call('CLUSTER', 'ADDSLOTSRANGE', ...(ranges[index] ?? []));
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
      });
    }
    for (const node of this.nodes.slice(1)) await this.#meet(node);
    await until('the cluster is complete', async () =>
      (await this.#states()).every((text) => text.includes('state:ok')),
    );
  }

  /** A replica of the master of the events. */
  async addReplica(): Promise<void> {
    const [master] = this.nodes;
    if (master === undefined) throw new Error('the cluster is not started');
    const replica = await this.#node();
    await this.#meet(replica);
    const id = await askRedis(master, (client) => client.cluster('MYID'));
    const replicate = () => askRedis(replica, (client) => client.cluster('REPLICATE', id)).catch(String);
    await until('they know each other', async () => (await replicate()) === 'OK');
    await until('it replicates', async () =>
      (await askRedis(replica, (client) => client.info('replication'))).includes('link_status:up'),
    );
    this.nodes = [...this.nodes, replica];
  }

  async #node(): Promise<RedisServer> {
    const busPort = await freePort();
    const flags = [
      '--cluster-enabled',
      'yes',
      '--cluster-node-timeout',
      '500',
      '--cluster-port',
      String(busPort),
    ];
    const node = await RedisServer.start(...flags, '--dir', newDirectory());
    this.#busPorts.set(node, busPort);
    return node;
  }

  async #meet(node: RedisServer): Promise<void> {
    const [first] = this.nodes;
    const address = ['127.0.0.1', String(node.port), String(this.#busPorts.get(node))] as const;
    if (first !== undefined) await askRedis(first, (client) => client.call('CLUSTER', 'MEET', ...address));
  }

  async #states(): Promise<readonly string[]> {
    return await Promise.all(this.nodes.map((node) => askRedis(node, (client) => client.cluster('INFO'))));
  }

  open(options = {}) {
    return redisEvents<'STOCK_COUNTED'>({ url: this.url, ...options });
  }

  async connections(): Promise<number> {
    const counts = this.nodes.map((node) =>
      askRedis(node, async (client) => String(await client.client('LIST'))),
    );
    return (await Promise.all(counts)).join('').trim().split('\n').length - this.nodes.length;
  }

  kill = async () => await this.nodes[0]?.kill();
  restart = async () => await this.nodes[0]?.restart();
  stop = async () => {
    await Promise.all(this.nodes.map((node) => node.kill()));
  };
}

/** What must hold on both sides of a failover. */
async function expectFailover(url: string, failOver: () => Promise<unknown>): Promise<void> {
  const [events, other] = [await redisEvents({ url }), await redisEvents({ url })];
  const limiter = redisAttemptLimiter({ url, attempts: 2 });
  try {
    const listener = new Recorder();
    await events.subscribe('POST_ADDED', listener);
    await other.publish('POST_ADDED', '1');
    await listener.meet('1');
    await failOver();
    await until('the loss is noticed', () =>
      other.publish('POST_ADDED', '2').then(
        () => false,
        () => true,
      ),
    );
    await until('both are connected again', async () => {
      const pings = await Promise.allSettled([events.ping(), other.ping()]);
      return pings.every(({ status }) => status === 'fulfilled');
    });
    await other.publish('POST_ADDED', '3');
    await listener.meet('3');
    expect(listener.interruptions).to.have.lengthOf(1);
    await limiter.take('ada');
    await limiter.take('ada');
    expect(await limiter.take('ada'), 'the seconds to wait').to.be.within(1, 60);
  } finally {
    await Promise.all([events.close(), other.close(), limiter.close()]);
  }
}

after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

withRedis('redisEvents in a cluster', () => {
  testBroker(new RedisCluster(), 2);

  it('go on with the replica that takes the place of their master', async () => {
    const cluster = new RedisCluster();
    await cluster.start();
    await cluster.addReplica();
    await expectFailover(cluster.url, cluster.kill);
    await cluster.stop();
  });
});

withRedis('redisEvents with Sentinels', () => {
  it('go on with the new master', async () => {
    const servers = await RedisSentinels.start({ count: 3, downAfterMs: 500 });
    await expectFailover(servers.url, () => servers.master.kill());
    await servers.stop();
  });
});
