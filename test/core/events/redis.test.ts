/** Runs the conformance suite and the broker suite on the Redis events with a real server. */
import { Redis } from 'ioredis';
import { redisEvents } from '../../../src/core/events/redis.js';
import { RedisServer, withRedis } from '../../support/redis-server.js';
import { type Broker, testBroker } from './broker-suite.js';

class RedisBroker implements Broker {
  #server: RedisServer | undefined;

  async start(): Promise<void> {
    this.#server = await RedisServer.start();
  }

  open(options = {}) {
    return redisEvents<'STOCK_COUNTED'>({ url: this.#server?.url ?? '', ...options });
  }

  async connections(): Promise<number> {
    const observer = new Redis(this.#server?.url ?? '');
    const list = String(await observer.client('LIST'));
    observer.disconnect();
    return list.trim().split('\n').length - 1;
  }

  kill = async () => await this.#server?.kill();
  restart = async () => await this.#server?.restart();
  stop = async () => await this.#server?.kill();
}

withRedis('redisEvents', () => {
  testBroker(new RedisBroker(), 2);
});
