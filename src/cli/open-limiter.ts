/** Opens the counter of the general rate limit. */

import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Settings } from './settings.js';

const MINUTE_SECONDS = 60;

/** @returns undefined where the settings set no limit */
export async function openLimiter({
  rateLimit,
}: Pick<Settings, 'rateLimit'>): Promise<RateLimiterAbstract | undefined> {
  if (rateLimit === undefined) return undefined;
  const { RateLimiterMemory } = await import('rate-limiter-flexible');
  return new RateLimiterMemory({ points: rateLimit, duration: MINUTE_SECONDS });
}
