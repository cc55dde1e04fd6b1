/** Tests of the limiter in Redis: one shared count, which cannot be bypassed while Redis is down or silent. */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { AttemptLimits } from '../../../src/core/limits/limiter-over.js';
import { type RedisAttemptLimiter, redisAttemptLimiter } from '../../../src/core/limits/redis.js';
import { RedisServer, withRedis } from '../../support/redis-server.js';
import { until } from '../../support/until.js';
import { newKey, takeMany, testLimiter } from './limiter-suite.js';
import { patientNow } from '../../support/durations.js';

withRedis('redisAttemptLimiter', () => {
  let server: RedisServer;
  let observer: Redis;
  const limiters: RedisAttemptLimiter[] = [];

  before(async () => {
    server = await RedisServer.start();
    observer = new Redis(server.url);
    observer.on('error', () => undefined);
  });
  afterEach(() => Promise.all(limiters.splice(0).map((limiter) => limiter.close())));
  after(async () => {
    observer.disconnect();
    await server.kill();
  });

  /** A limiter that counts in Redis from its first attempt on. */
  async function open(limits: AttemptLimits = {}): Promise<RedisAttemptLimiter> {
    const limiter = redisAttemptLimiter({ url: server.url, ...limits });
    limiters.push(limiter);
    await untilItCounts(limiter);
    return limiter;
  }

  async function untilItCounts(limiter: RedisAttemptLimiter): Promise<void> {
    await until('the limiter counts in Redis', async () => {
      const key = newKey();
      await limiter.take(key);
      return (await observer.exists(`concordat:attempts:${key}`)) === 1;
    });
  }

  testLimiter(open);

  it('counts together with another on the same Redis', async () => {
    const [one, other] = [await open(), await open()];
    const key = newKey();
    expect(await takeMany(one, key, 6)).to.equal(6);
    expect(await takeMany(other, key, 6)).to.equal(4);
    expect(await one.blockedFor(key)).to.be.within(1, 60);
    await other.giveBack(key);
    expect(await one.take(key)).to.equal(undefined);
  });

  it('leaves nothing in Redis for longer than it counts', async () => {
    const limiter = await open();
    const key = newKey();
    await limiter.take(key);
    await limiter.giveBack(key);
    await takeMany(limiter, key, 20);
    expect(await observer.ttl(`concordat:attempts:${key}`)).to.be.within(1, 60);
  });

  it('counts by itself when Redis is down from the start, and does not hang', async () => {
    const limiter = redisAttemptLimiter({ url: 'redis://127.0.0.1:1' });
    limiters.push(limiter);
    const key = newKey();
    expect(await takeMany(limiter, key, 30)).to.equal(10);
    expect(await limiter.blockedFor(key)).to.be.within(1, 60);
  });

  it('counts by itself when Redis goes down, and in Redis again when it is back', async () => {
    const [one, other] = [await open(), await open()];
    const key = newKey();
    expect(await takeMany(one, key, 4)).to.equal(4);
    await server.kill();
    expect(await takeMany(one, key, 30), 'a count of its own').to.equal(10);
    expect(await one.blockedFor(key)).to.be.within(1, 60);
    await server.restart();
    await Promise.all([untilItCounts(one), untilItCounts(other)]);
    expect(await takeMany(one, key, 6)).to.equal(6);
    expect(await takeMany(other, key, 6)).to.equal(4);
  });

  it('counts for itself while Redis takes everything and answers nothing, and does not hang', async () => {
    const limiter = await open();
    const key = newKey();
    server.pause();
    try {
      const started = patientNow();
      expect(await takeMany(limiter, key, 30)).to.equal(10);
      expect(await limiter.blockedFor(key)).to.be.within(1, 60);
      // Only the first call waits for the silent server.
      for (let question = 0; question < 5; question += 1) await limiter.blockedFor(key);
      expect(patientNow() - started).to.be.below(2_500);
    } finally {
      server.resume();
    }
  });

  it('lets go of its connection', async () => {
    const connections = async () =>
      String(await observer.client('LIST'))
        .trim()
        .split('\n').length;
    await until('only the observer is left', async () => (await connections()) === 1);
    const limiter = await open();
    expect(await connections()).to.equal(2);
    await limiter.close();
    await until('only the observer is left', async () => (await connections()) === 1);
  });
});
