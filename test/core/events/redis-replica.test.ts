/** A Redis that has become a replica while its connections lived on is not used any longer, by events and by limiters. */
import { Redis } from 'ioredis';
import { redisEvents } from '../../../src/core/events/redis.js';
import { redisAttemptLimiter } from '../../../src/core/limits/redis.js';
import { MovingAddress } from '../../support/moving-address.js';
import { RedisServer, withRedis } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

withRedis('a Redis that has become a replica', () => {
  let old: RedisServer;
  let next: RedisServer;
  let admin: Redis;
  let address: MovingAddress;
  let url = '';
  const failOver = async () => {
    address.target = next.port;
    await admin.replicaof('127.0.0.1', next.port);
  };
  beforeEach(async () => {
    [old, next] = await Promise.all([RedisServer.start(), RedisServer.start()]);
    admin = new Redis(old.url);
    address = new MovingAddress(old.port);
    url = `redis://127.0.0.1:${String(await address.listen())}`;
  });
  afterEach(async () => {
    admin.disconnect();
    address.close();
    await Promise.all([old.kill(), next.kill()]);
  });

  it('publishes no events: those of a process from before the failover reach one from after it', async () => {
    const [before, after] = [await redisEvents({ url }), await redisEvents({ url: next.url })];
    const received = new Set<string>();
    await after.subscribe('POST_ADDED', {
      received: (id) => void received.add(id),
      interrupted: () => undefined,
    });
    await failOver();
    let id = 0;
    await until('an event arrives', async () => {
      await before.ping().catch(() => undefined);
      await before.publish('POST_ADDED', String(++id)).catch(() => undefined);
      return received.size > 0;
    });
    await Promise.all([before.close(), after.close()]);
  });

  it('counts no attempts: they are counted by the new master', async () => {
    const limiter = redisAttemptLimiter({ url });
    const keys = async (server: RedisServer) => {
      const client = new Redis(server.url);
      const found = await client.dbsize();
      client.disconnect();
      return found;
    };
    const takeUntilIn = (server: RedisServer) =>
      until('attempts are counted', async () => {
        await limiter.take('ada');
        return (await keys(server)) > 0;
      });
    await takeUntilIn(old);
    await failOver();
    await until('the replica is empty, like its master', async () => (await keys(old)) === 0);
    await takeUntilIn(next);
    await limiter.close();
  });
});
