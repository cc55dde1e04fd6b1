/** Plays simulated worlds from fixed seeds; `npm run simulate` plays others. */

import { expect } from 'chai';
import { type Failure, drawRun, play } from './simulate.js';

const shown = (failure: Failure | undefined): string | undefined =>
  failure && [failure.message, ...failure.log, JSON.stringify(failure.run)].join('\n');

describe('a simulated world', () => {
  for (let seed = 1; seed <= 24; seed += 1) {
    it(`answers as the model does, from seed ${String(seed)}`, async function () {
      this.timeout(60_000);
      expect(shown(await play(drawRun(seed, 200)))).to.equal(undefined);
    });
  }

  it('goes the same way again from the same seed', async function () {
    this.timeout(60_000);
    const run = drawRun(7, 200);
    const inMemory = { ...run, settings: { ...run.settings, store: 'memory' } } as const;
    const [first, second]: [string[], string[]] = [[], []];
    await play(inMemory, first);
    await play(inMemory, second);
    expect(first).to.have.length.greaterThan(150);
    expect(second).to.deep.equal(first);
  });
});
