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
  // Loaded with the first attempt, because the package has adapters for twenty databases.
  return limiterOver(
    () =>
      (opened ??= import('rate-limiter-flexible').then(
        ({ RateLimiterMemory }) => new RateLimiterMemory({ points: attempts, duration: seconds }),
      )),
  );
}
