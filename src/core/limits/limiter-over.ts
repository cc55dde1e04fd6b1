/** The logic that all limiters share, independent of where the attempts are counted. */

import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { AttemptLimiter } from '../ports/sign-in.js';

/** The number of attempts per key, and how long a count lasts from its first attempt. */
export interface AttemptLimits {
  /** 10 unless given. */
  readonly attempts?: number;
  /** 60 unless given. */
  readonly seconds?: number;
}

/** @param open - makes a limiter for keys that have so many times the attempts; it is called once per number */
export function limiterOver(open: (times: number) => Promise<RateLimiterAbstract>): AttemptLimiter {
  const opened = new Map<number, Promise<RateLimiterAbstract>>();
  const limiterFor = (times = 1): Promise<RateLimiterAbstract> => {
    const limiter = opened.get(times) ?? open(times);
    opened.set(times, limiter);
    return limiter;
  };
  return {
    async blockedFor(key, times) {
      const limiter = await limiterFor(times);
      const state = await limiter.get(key);
      return state !== null && state.consumedPoints >= limiter.points ? secondsOf(state, limiter) : undefined;
    },
    async take(key, times) {
      const limiter = await limiterFor(times);
      try {
        await limiter.consume(key);
        return undefined;
      } catch (refusal) {
        // The package rejects with its count of the attempts if there are too many, and with an error if it cannot count.
        if (refusal instanceof Error) throw refusal;
        // The package counts the refused attempt too; without this, its count would remain after the others are given back.
        await limiter.reward(key);
        return secondsOf(refusal as RateLimiterRes, limiter);
      }
    },
    async giveBack(key, times) {
      await (await limiterFor(times)).reward(key);
    },
  };
}

/** At most the window: the package compares times of the clock, which may have been set back since the first attempt. */
function secondsOf({ msBeforeNext }: RateLimiterRes, { duration }: RateLimiterAbstract): number {
  return Math.min(duration, Math.max(1, Math.ceil(msBeforeNext / 1000)));
}
