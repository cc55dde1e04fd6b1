/** The limiter that counts in its process. */
import { memoryAttemptLimiter } from '../../../src/adapters/limits/memory.js';
import { testLimiter } from './limiter-suite.js';

describe('memoryAttemptLimiter', () => {
  testLimiter(memoryAttemptLimiter);
});
