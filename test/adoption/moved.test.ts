/** The last step of the adoption: all 60 routes are moved. */

import { expect } from 'chai';
import { appTests } from './app-tests/app-tests.js';
import { type Stage, dayOf, readStage } from './stage.js';
import { startLegacyApp } from './start-legacy-app.js';

describe('adoption: all operations moved', function () {
  this.timeout(60_000);
  let stage: Stage;
  before(async () => {
    stage = await readStage('moved', 'part');
  });
  after(() => stage.remove());

  describe('the tests of the application', () => {
    appTests(() => stage.start());
  });

  it('compiles without a cast', async () => {
    expect(await stage.problems()).to.deep.equal([]);
  });

  it('lists no operation as not served', async () => {
    expect((await stage.run('check')).stdout).to.contain('no problems');
  });

  it('answers a day of requests as before, all by the engine', async () => {
    expect(await dayOf(() => stage.start())).to.deep.equal(await dayOf(() => startLegacyApp()));
    expect(stage.operations.size).to.equal(60);
  });
});
