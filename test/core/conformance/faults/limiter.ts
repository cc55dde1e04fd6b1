/** Attempt limiters that break a rule. */
import { setImmediate as tick } from 'node:timers/promises';
import { memoryAttemptLimiter } from '../../../../src/core/limits/memory.js';
import type { AttemptLimiter } from '../../../../src/core/ports/sign-in.js';
import type { PortFaults } from './fault.js';

const limits = { attempts: 3, seconds: 2 };

function broken(breakIt: (sound: AttemptLimiter) => Partial<AttemptLimiter>) {
  return (): AttemptLimiter => {
    const sound = memoryAttemptLimiter(limits);
    return { ...sound, ...breakIt(sound) };
  };
}

/** The sound limiter, of what the function makes of a key. */
const of = (change: (key: string) => string) =>
  broken((sound) => ({ take: (key, times) => sound.take(change(key), times) }));

export const limiterFaults: PortFaults<AttemptLimiter> = {
  'a key has an attempt too many': ['limiter-take', () => memoryAttemptLimiter({ ...limits, attempts: 4 })],
  'the wait is in milliseconds': [
    'limiter-take',
    broken((sound) => ({ take: async (key) => ((await sound.take(key)) ?? NaN) * 1000 || undefined })),
  ],
  'to ask takes an attempt': [
    'limiter-blocked',
    broken((sound) => ({ blockedFor: (key) => sound.take(key) })),
  ],
  'a key that has none left is not blocked': [
    'limiter-blocked',
    broken(() => ({ blockedFor: () => Promise.resolve(undefined) })),
  ],
  'keys are trimmed': ['limiter-keys', of((key) => key.trim())],
  'keys are cut': ['limiter-keys', of((key) => key.slice(0, 36))],
  'attempts are counted before they are taken, not with it': [
    'limiter-race',
    broken(() => {
      const taken = new Map<string, number>();
      return {
        take: async (key) => {
          const count = taken.get(key) ?? 0;
          await tick();
          if (count >= limits.attempts) return 1;
          taken.set(key, count + 1);
          return undefined;
        },
      };
    }),
  ],
  'the attempts of a key are never multiplied': [
    'limiter-times',
    broken((sound) => ({ take: (key) => sound.take(key) })),
  ],
  'what is refused counts too': [
    'limiter-give-back',
    broken((sound) => {
      const refused = new Map<string, number>();
      return {
        take: async (key) => {
          const wait = await sound.take(key);
          if (wait !== undefined) refused.set(key, (refused.get(key) ?? 0) + 1);
          return wait;
        },
        giveBack: async (key) => {
          const left = refused.get(key) ?? 0;
          refused.set(key, left - 1);
          if (left <= 0) await sound.giveBack(key);
        },
      };
    }),
  ],
  'nothing is given back': ['limiter-give-back', broken(() => ({ giveBack: () => Promise.resolve() }))],
  'a count never ends': [
    'limiter-window',
    () => {
      const sound = memoryAttemptLimiter({ ...limits, seconds: 3600 });
      return {
        ...sound,
        take: async (key) => ((await sound.take(key)) === undefined ? undefined : limits.seconds),
      };
    },
  ],
};
