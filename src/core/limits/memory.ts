/** Counts attempts in this process, for a deployment with one process. */

import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { AttemptLimiter } from '../ports/attempt-limiter.js';
import { type AttemptLimits, limiterOver } from './counting/limiter-over.js';

/**
 * @example
 * ```ts
 * const services = createServices({ storage, policy, passwordHasher, tokens, signInLimiter: memoryAttemptLimiter() });
 * ```
 */
export function memoryAttemptLimiter(limits: AttemptLimits = {}): AttemptLimiter {
  const { attempts = 10, seconds = 60 } = limits;
  return limiterOver(new RateLimiterMemory({ points: attempts, duration: seconds }));
}
