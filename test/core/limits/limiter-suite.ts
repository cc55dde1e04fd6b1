/** What every attempt limiter must do, wherever it counts. */
import { expect } from 'chai';
import type { AttemptLimits } from '../../../src/core/limits/counting/limiter-over.js';
import type { AttemptLimiter } from '../../../src/core/ports/attempt-limiter.js';
import { until } from '../../support/until.js';

let keys = 0;
/** A key that nobody has used. */
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

  it('gives no more than there are to many who take at once', async () => {
    const limiter = await open({ attempts: 3 });
    expect(await takeMany(limiter, newKey(), 40)).to.equal(3);
  });

  it('counts what is refused no further, and takes back what went well', async () => {
    const limiter = await open({ attempts: 2 });
    const key = newKey();
    expect(await takeMany(limiter, key, 9)).to.equal(2);
    await limiter.giveBack(key);
    expect(await limiter.blockedFor(key)).to.equal(undefined);
    expect(await takeMany(limiter, key, 9)).to.equal(1);
  });

  it('begins anew when the time is over', async () => {
    const limiter = await open({ attempts: 1, seconds: 1 });
    const key = newKey();
    expect(await limiter.take(key)).to.equal(undefined);
    expect(await limiter.take(key)).to.equal(1);
    await until('there is an attempt again', async () => (await limiter.blockedFor(key)) === undefined);
    expect(await limiter.take(key)).to.equal(undefined);
  });
}
