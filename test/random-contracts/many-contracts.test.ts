/** Plays more random contracts from fixed seeds than `random-contracts.test.ts`. */

import { expect } from 'chai';
import { playSeeds } from './play-seeds.js';

describe('a random contract of many', function () {
  this.timeout(3_600_000);

  for (const [first, count] of [
    [100, 40],
    [140, 40],
    [180, 40],
    [220, 40],
    [260, 40],
  ] as const) {
    it(`goes through every command, from seed ${String(first)}`, async () => {
      expect(await playSeeds(first, count)).to.equal(undefined);
    });
  }
});
