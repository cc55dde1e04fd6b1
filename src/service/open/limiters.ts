/** Opens the limiters of failed sign-ins, of sign-ups and of requests: in Redis when the processes share one. */

import { memoryAttemptLimiter } from '@concordat/core/limits/memory';
import type { AttemptLimiter } from '@concordat/core';
import type { Settings } from '../settings/settings.js';
import type { Shutdown } from '../listen/shutdown.js';

export interface Limiters {
  /** Ten failures per minute. */
  readonly signIns: AttemptLimiter;
  /** Undefined when the settings set no limit. */
  readonly signUps: AttemptLimiter | undefined;
  /** Undefined when the settings set no limit. */
  readonly requests: AttemptLimiter | undefined;
}

const MINUTE = 60;

export async function openLimiters(
  { events, rateLimit, signUpLimit }: Pick<Settings, 'events' | 'rateLimit' | 'signUpLimit'>,
  shutdown: Shutdown,
): Promise<Limiters> {
  const open = await opener(events, shutdown);
  return {
    signIns: open(10),
    signUps: signUpLimit === undefined ? undefined : open(signUpLimit),
    requests: rateLimit === undefined ? undefined : open(rateLimit),
  };
}

/** @returns a function that makes a limiter for a number of attempts per minute */
async function opener(
  events: Settings['events'],
  shutdown: Shutdown,
): Promise<(attempts: number) => AttemptLimiter> {
  if (events.kind !== 'redis') return (attempts) => memoryAttemptLimiter({ attempts, seconds: MINUTE });
  const { redisAttemptLimiter } = await import('@concordat/core/limits/redis');
  return (attempts) => {
    const limiter = redisAttemptLimiter({ url: events.url, attempts, seconds: MINUTE });
    shutdown.onClose(() => limiter.close());
    return limiter;
  };
}
