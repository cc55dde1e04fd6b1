/** Bounds how many requests a minute one address may send. */

import type Koa from 'koa';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../../engine/index.js';
import type { Refuse } from './refuse.js';

/** @param limiter - counts the requests of a key, in this process or for all of them */
export function rateLimit(limiter: RateLimiterAbstract, refuse: Refuse): Koa.Middleware {
  return async (context, next): Promise<unknown> => {
    const wait = await secondsToWait(limiter, context.ip);
    if (wait === undefined) return next() as Promise<unknown>;
    const sentence = `Too many requests: try again in ${String(wait)} ${wait === 1 ? 'second' : 'seconds'}`;
    refuse(context, new Problem(429, sentence, { 'Retry-After': String(wait) }));
    return undefined;
  };
}

async function secondsToWait(limiter: RateLimiterAbstract, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (refusal) {
    // Anything else is a counter that does not answer: the service goes on without it.
    if (!(refusal instanceof RateLimiterRes)) return undefined;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}
