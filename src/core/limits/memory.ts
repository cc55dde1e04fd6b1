/** Counts attempts in this process, for a deployment with one process. */

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
  // Loaded with the first attempt, because the package has adapters for twenty databases.
  return limiterOver(async (times) => {
    const { RateLimiterMemory } = await import('rate-limiter-flexible');
    return new RateLimiterMemory({ points: attempts * times, duration: seconds });
  });
}
