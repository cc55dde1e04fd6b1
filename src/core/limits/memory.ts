/** Counts attempts in this process, for a deployment with one process. */

import type { RateLimiterMemory } from 'rate-limiter-flexible';
import type { AttemptLimiter } from '../ports/sign-in.js';
import { type AttemptLimits, limiterOver } from './limiter-over.js';

/**
 * @example
 * ```ts
 * const services = createServices({ storage, policy, passwordHasher, tokens, signInLimiter: memoryAttemptLimiter() });
 * ```
 */
export function memoryAttemptLimiter(limits: AttemptLimits = {}): AttemptLimiter {
  const { attempts = 10, seconds = 60 } = limits;
  let opened: Promise<RateLimiterMemory> | undefined;
  return limiterOver(() => (opened ??= open(attempts, seconds)));
}

/** Loads the package with the first attempt, because it has adapters for twenty databases. */
async function open(points: number, duration: number): Promise<RateLimiterMemory> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible');
  return new RateLimiterMemory({ points, duration });
}
