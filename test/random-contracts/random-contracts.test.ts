/** Plays random contracts from fixed seeds; `npm run random-contracts` plays others, and `many-contracts.test.ts` more. */

import { expect } from 'chai';
import { playSeeds } from './play-seeds.js';

describe('a random contract', function () {
  this.timeout(300_000);

  it('goes through every command', async () => {
    expect(await playSeeds(1, 12)).to.equal(undefined);
  });
});
