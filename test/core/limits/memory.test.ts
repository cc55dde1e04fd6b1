/** The limiter that counts in its process. */
import { memoryAttemptLimiter } from '../../../src/core/limits/memory.js';
import { testLimiter } from './limiter-suite.js';

describe('memoryAttemptLimiter', () => {
  testLimiter(memoryAttemptLimiter);
});
