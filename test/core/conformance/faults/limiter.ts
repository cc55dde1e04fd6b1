/** Attempt limiters that break a rule. */
import { setImmediate as tick } from 'node:timers/promises';
import { memoryAttemptLimiter } from '../../../../src/core/limits/memory.js';
import type { AttemptLimiter } from '../../../../src/core/ports/sign-in.js';
import { faults, methodFaults } from './fault.js';

const limits = { attempts: 3, seconds: 2 };

export const soundLimiter = (): AttemptLimiter => ({ ...memoryAttemptLimiter(limits) });

export const limiterFaults = [
  ...methodFaults((limiter: AttemptLimiter) => limiter, {
    take: {
      'the wait is in milliseconds: limiter-take': (take) => async (key) =>
        ((await take(key)) ?? NaN) * 1000 || undefined,
      'keys are trimmed: limiter-keys': (take) => (key, times) => take(key.trim(), times),
      'keys are cut: limiter-keys': (take) => (key, times) => take(key.slice(0, 36), times),
      'attempts are counted before they are taken, not with it: limiter-race': () => {
        const taken = new Map<string, number>();
        return async (key) => {
          const count = taken.get(key) ?? 0;
          await tick();
          if (count >= limits.attempts) return 1;
          taken.set(key, count + 1);
          return undefined;
        };
      },
      'the attempts of a key are never multiplied: limiter-times': (take) => (key) => take(key),
      'what is refused counts too: limiter-give-back': (take, limiter) => {
        const refused = new Map<string, number>();
        const giveBack = limiter.giveBack.bind(limiter);
        limiter.giveBack = async (key) => {
          const left = refused.get(key) ?? 0;
          refused.set(key, left - 1);
          if (left <= 0) await giveBack(key);
        };
        return async (key) => {
          const wait = await take(key);
          if (wait !== undefined) refused.set(key, (refused.get(key) ?? 0) + 1);
          return wait;
        };
      },
    },
    blockedFor: {
      'to ask takes an attempt: limiter-blocked': (_, limiter) => (key) => limiter.take(key),
      'a key that has none left is not blocked: limiter-blocked': () => () => Promise.resolve(undefined),
    },
    giveBack: {
      'nothing is given back: limiter-give-back': () => () => Promise.resolve(),
    },
  }),

  ...faults<AttemptLimiter>({
    'a key has an attempt too many: limiter-take': (limiter) => {
      Object.assign(limiter, memoryAttemptLimiter({ ...limits, attempts: 4 }));
    },
    'a count never ends: limiter-window': (limiter) => {
      const sound = memoryAttemptLimiter({ ...limits, seconds: 3600 });
      const take = async (key: string) =>
        (await sound.take(key)) === undefined ? undefined : limits.seconds;
      Object.assign(limiter, sound, { take });
    },
  }),
];
