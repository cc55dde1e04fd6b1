/** The step of the adoption at which the recorded document has been reviewed: the application does what it says. */

import { expect } from 'chai';
import type { Observer } from '@concordat/runtime/observe';
import { newDeviations } from '@concordat/runtime/testing';
import { appTests } from './app-tests/app-tests.js';
import { type Stage, dayOf, readStage } from './stage.js';
import { startLegacyApp } from './start-legacy-app.js';

describe('adoption: observed with the reviewed document', function () {
  this.timeout(60_000);
  let stage: Stage;
  let observer: Observer;
  before(async () => {
    stage = await readStage('observed');
    ({ observer } = (await stage.import('observed/app.ts')) as { readonly observer: Observer });
  });
  after(() => stage.remove());

  describe('the tests of the application', () => {
    appTests(() => stage.start());
  });

  it('compiles without a cast', async () => {
    expect(await stage.problems()).to.deep.equal([]);
  });

  it('answers a day of requests as before, without a deviation from the document', async () => {
    expect(await dayOf(() => stage.start())).to.deep.equal(await dayOf(() => startLegacyApp()));
    await observer.settled();
    expect(observer.counters.checked).to.be.at.least(174);
    const known = new URL('observed/concordat.json', import.meta.url).pathname;
    expect(await newDeviations(known, observer.deviations())).to.deep.equal([]);
  });
});
