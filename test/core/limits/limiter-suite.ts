/** What every attempt limiter must do, wherever it counts. */
import { expect } from 'chai';
import { limiterChecks } from '../../../src/core/conformance/limiter.js';
import type { AttemptLimits } from '../../../src/core/limits/limiter-over.js';
import type { AttemptLimiter } from '../../../src/core/ports/sign-in.js';

let keys = 0;
/** An unused key. */
export const newKey = (): string => `key ${String(++keys)}`;

/** Takes so many attempts at once. @returns how many there were */
export async function takeMany(limiter: AttemptLimiter, key: string, count: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, () => limiter.take(key)));
  return answers.filter((answer) => answer === undefined).length;
}

/** @param open makes a limiter that the caller closes, and that shares nothing with others unless it must */
export function testLimiter(
  open: (limits?: AttemptLimits) => AttemptLimiter | Promise<AttemptLimiter>,
): void {
  it('gives ten attempts a minute to each key, and says when there is one again', async () => {
    const limiter = await open();
    const [key, other] = [newKey(), newKey()];
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await limiter.blockedFor(key)).to.equal(undefined);
      expect(await limiter.take(key)).to.equal(undefined);
    }
    expect(await limiter.take(key)).to.be.within(1, 60);
    expect(await limiter.blockedFor(key)).to.be.within(1, 60);
    expect(await limiter.take(other)).to.equal(undefined);
  });

  for (const check of limiterChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => open({ attempts: 3, seconds: 2 })));
  }
}
