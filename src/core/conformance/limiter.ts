/** The checks that an attempt limiter must pass. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptLimiter } from '../ports/sign-in.js';
import { musts } from './check.js';

/** The limits that the limiter must be made with. */
const attempts = 3;
const seconds = 2;

/** Takes `count` attempts at once. @returns how many were granted */
async function takeMany(
  limiter: AttemptLimiter,
  key: string,
  count: number,
  times?: number,
): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, () => limiter.take(key, times)));
  return answers.filter((answer) => answer === undefined).length;
}

function isWait(answer: number | undefined): void {
  const isWhole = Number.isInteger(answer) && answer !== undefined && answer >= 1 && answer <= seconds;
  assert.ok(isWhole, `whole seconds, 1 to ${String(seconds)}, are to be waited, not ${String(answer)}`);
}

/**
 * All checks, for a limiter that gives each key 3 attempts per 2 seconds. Each check uses its own keys, so that limiters may
 * share their storage.
 *
 * @example
 * ```ts
 * for (const check of limiterChecks) {
 *   it(`${check.level} ${check.id}: ${check.name}`, () =>
 *     check.run(() => memoryAttemptLimiter({ attempts: 3, seconds: 2 })));
 * }
 * ```
 */
export const limiterChecks = musts<AttemptLimiter>({
  'limiter-take: a key has its attempts, then a wait': async (make) => {
    const [limiter, key] = [await make(), randomUUID()];
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      assert.equal(await limiter.take(key), undefined, `attempt ${String(attempt)}`);
    }
    isWait(await limiter.take(key));
  },

  'limiter-blocked: asking whether a key is blocked takes no attempt': async (make) => {
    const [limiter, key] = [await make(), randomUUID()];
    for (let question = 0; question < 9; question += 1)
      assert.equal(await limiter.blockedFor(key), undefined);
    assert.equal(await takeMany(limiter, key, attempts), attempts);
    isWait(await limiter.blockedFor(key));
  },

  'limiter-keys: keys are counted separately, for any text': async (make) => {
    const [limiter, key] = [await make(), randomUUID()];
    for (const end of ['', ' ', ':', '*', 'é', 'e\u0301', '\u0000', '__proto__', 'x'.repeat(2000)]) {
      assert.equal(await takeMany(limiter, key + end, attempts + 1), attempts, JSON.stringify(end));
    }
  },

  'limiter-times: a key has so many times the attempts, and is blocked after them': async (make) => {
    const [limiter, key] = [await make(), randomUUID()];
    assert.equal(await takeMany(limiter, key, 5 * attempts, 4), 4 * attempts);
    isWait(await limiter.blockedFor(key, 4));
    await limiter.giveBack(key, 4);
    assert.equal(await limiter.blockedFor(key, 4), undefined);
    assert.equal(await takeMany(limiter, key, 9, 4), 1);
  },

  'limiter-race: many callers at once get no more attempts than the limit': async (make) => {
    assert.equal(await takeMany(await make(), randomUUID(), 40), attempts);
  },

  'limiter-give-back: an attempt that is given back can be taken again, and refused attempts are not counted':
    async (make) => {
      const [limiter, key] = [await make(), randomUUID()];
      assert.equal(await takeMany(limiter, key, 9), attempts);
      await limiter.giveBack(key);
      assert.equal(await limiter.blockedFor(key), undefined);
      assert.equal(await takeMany(limiter, key, 9), 1);
    },

  'limiter-window: a key has all its attempts again after the wait': async (make) => {
    const [limiter, key] = [await make(), randomUUID()];
    assert.equal(await takeMany(limiter, key, attempts), attempts);
    const wait = await limiter.take(key);
    isWait(wait);
    // A count may end a little later than its whole seconds.
    await sleep((wait ?? 0) * 1000 + 200);
    assert.equal(await limiter.blockedFor(key), undefined);
    assert.equal(await takeMany(limiter, key, 9), attempts);
  },
});
