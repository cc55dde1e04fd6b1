/** Counts attempts in Redis, for all processes of a deployment. */

import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { withAddress } from '../model/error.js';
import { serverUrls } from '../servers/server-urls.js';
import { connectedServer, openRedisOrCluster } from '../servers/redis-servers.js';
import type { AttemptLimiter } from '../ports/sign-in.js';
import { type AttemptLimits, limiterOver } from './limiter-over.js';

export interface RedisAttemptLimiterOptions extends AttemptLimits {
  /** A `redis://` or `rediss://` URL, with several hosts as for the events. */
  readonly url: string;
  /** Called with each error of the connection, also while it is being restored. */
  readonly onError?: (error: Error) => void;
}

/** A limiter that holds a connection. */
export interface RedisAttemptLimiter extends AttemptLimiter {
  close(): Promise<void>;
}

/**
 * Connects in the background, and reconnects whenever the connection breaks. While Redis does not answer, each process counts
 * by itself: guessing stays slow, and users can still sign in. The first call without an answer waits one second; then the
 * connection counts as broken, and later calls do not wait.
 *
 * @example
 * ```ts
 * const signInLimiter = redisAttemptLimiter({ url: 'redis://localhost:6379' });
 * ```
 */
export function redisAttemptLimiter({
  url,
  attempts = 10,
  seconds = 60,
  onError = () => undefined,
}: RedisAttemptLimiterOptions): RedisAttemptLimiter {
  const redis = openRedisOrCluster(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: 1_000,
    // After a failover, the address may lead to another server, and the old one may live on as a replica.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  const { hostname, port } = new URL(serverUrls(url)[0]);
  let server = { host: hostname || 'localhost', port: Number(port) || 6379 };
  redis.on('connect', () => (server = connectedServer(url, redis) ?? server));
  // The client reconnects by itself; without a listener, the event would throw.
  redis.on('error', (error) => onError(withAddress(error, server) as Error));
  return {
    ...limiterOver((times) => {
      const limits = { points: attempts * times, duration: seconds };
      const counted = {
        ...limits,
        storeClient: redis,
        keyPrefix: 'concordat:attempts',
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(limits),
      };
      return Promise.resolve(new RateLimiterRedis(counted));
    }),
    close() {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}
