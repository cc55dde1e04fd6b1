/** Plays worlds of the whole service from fixed seeds; `npm run simulate -- --service postgres` plays others. */

import { expect } from 'chai';
import { redisAbsence } from '../../support/redis-server.js';
import { type ServiceFailure, type ServiceSettings, drawServiceRun } from './draw-service.js';
import { playService } from './play-service.js';

const shown = (failure: ServiceFailure | undefined): string | undefined =>
  failure && [failure.message, ...failure.log, JSON.stringify(failure.run)].join('\n');

/** One seed more for the store with more to it. */
const worlds: readonly (readonly [ServiceSettings['store'], seed: number])[] = [
  ['postgres', 1],
  ['postgres', 2],
  ['sqlite', 3],
];

describe('a simulated world of the whole service', () => {
  for (const [store, seed] of worlds) {
    it(`answers as the model does on ${store}, from seed ${String(seed)}`, async function () {
      // Its processes are started and killed again and again.
      this.timeout(300_000);
      const run = drawServiceRun(store, seed, 80);
      const settings = { ...run.settings, redis: redisAbsence === undefined, outbox: true };
      expect(shown(await playService({ ...run, settings }))).to.equal(undefined);
    });
  }
});
