/** Plays more random contracts from fixed seeds than `random-contracts.test.ts`. */

import { expect } from 'chai';
import { playSeeds } from './play-seeds.js';

describe('a random contract of many', function () {
  this.timeout(3_600_000);

  for (let first = 100; first < 300; first += 40) {
    it(`goes through every command, from seed ${String(first)}`, async () => {
      expect(await playSeeds(first, 40)).to.equal(undefined);
    });
  }
});
