/** Counts attempts in Redis, for all processes of a deployment. */

import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { AttemptLimiter } from '../ports/attempt-limiter.js';
import { type AttemptLimits, limiterOver } from './counting/limiter-over.js';

export interface RedisAttemptLimiterOptions extends AttemptLimits {
  /** A `redis://` or `rediss://` URL. */
  readonly url: string;
}

/** A limiter that holds a connection. */
export interface RedisAttemptLimiter extends AttemptLimiter {
  close(): Promise<void>;
}

/**
 * Connects in the background, and again whenever the connection breaks. While Redis does not answer, each process counts for
 * itself: guessing stays slow, and everybody can still sign in. Silence is waited out once: a second later the connection counts
 * as broken, and nobody else waits for it.
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
}: RedisAttemptLimiterOptions): RedisAttemptLimiter {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, socketTimeout: 1_000 });
  // A connection that breaks is made again; the event must only not go unheard.
  redis.on('error', () => undefined);
  const limits = { points: attempts, duration: seconds };
  const limiter = new RateLimiterRedis({
    ...limits,
    storeClient: redis,
    keyPrefix: 'concordat:attempts',
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(limits),
  });
  return {
    ...limiterOver(limiter),
    close() {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}
