/** The logic that all limiters share, over any place to count in. */

import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { AttemptLimiter } from '../../ports/attempt-limiter.js';

/** How many attempts a key has, and how long a count lasts from its first attempt on. */
export interface AttemptLimits {
  /** 10 unless given. */
  readonly attempts?: number;
  /** 60 unless given. */
  readonly seconds?: number;
}

export function limiterOver(limiter: RateLimiterAbstract): AttemptLimiter {
  return {
    async blockedFor(key) {
      const state = await limiter.get(key);
      return state !== null && state.consumedPoints >= limiter.points ? secondsOf(state) : undefined;
    },
    async take(key) {
      try {
        await limiter.consume(key);
        return undefined;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        // The refused attempt was counted too; without this, it would remain after attempts are given back.
        await limiter.reward(key);
        return secondsOf(refusal);
      }
    },
    async giveBack(key) {
      await limiter.reward(key);
    },
  };
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
