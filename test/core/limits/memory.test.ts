/** The limiter that counts in its process. */
import { expect } from 'chai';
import { memoryAttemptLimiter } from '../../../src/core/limits/memory.js';
import { testLimiter } from './limiter-suite.js';

describe('memoryAttemptLimiter', () => {
  testLimiter(memoryAttemptLimiter);

  it('names no longer wait than its window after the clock was set back', async () => {
    const limiter = memoryAttemptLimiter({ attempts: 1, seconds: 20 });
    await limiter.take('a');
    const now = Date.now;
    const hour = 3_600_000;
    Date.now = () => now() - hour;
    try {
      expect(await limiter.take('a')).to.equal(20);
      expect(await limiter.blockedFor('a')).to.equal(20);
    } finally {
      Date.now = now;
    }
  });

  it('names a wait of a second at the end of its window, and not of none', async () => {
    const limiter = memoryAttemptLimiter({ attempts: 1, seconds: 20 });
    const now = Date.now;
    const start = now();
    Date.now = () => start;
    try {
      await limiter.take('a');
      Date.now = () => start + 20_000;
      expect(await limiter.blockedFor('a')).to.equal(1);
    } finally {
      Date.now = now;
    }
  });
});
