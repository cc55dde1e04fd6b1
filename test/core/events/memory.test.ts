/** Holds the memory events against the conformance suite. */
import { memoryEvents } from '../../../src/core/events/memory.js';
import { eventsChecks } from '../../../src/core/conformance/events.js';
import { testTopics } from './topics.js';

describe('memoryEvents', () => {
  for (const check of eventsChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => Promise.resolve(memoryEvents())));
  }

  testTopics(() => Promise.resolve(memoryEvents<'STOCK_COUNTED'>()));
});
