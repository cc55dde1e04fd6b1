/** The step of the adoption at which five operations are moved, beside the 55 other routes. */

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { appTests } from './app-tests/app-tests.js';
import { type Stage, dayOf, readStage } from './stage.js';
import { startLegacyApp } from './start-legacy-app.js';

const MOVED = ['addNote', 'createCustomer', 'getCustomer', 'getMe', 'listCustomers'];

describe('adoption: five operations moved', function () {
  this.timeout(60_000);
  let stage: Stage;
  before(async () => {
    stage = await readStage('part');
  });
  after(() => stage.remove());

  describe('the tests of the application', () => {
    appTests(() => stage.start());
  });

  it('compiles without a cast', async () => {
    expect(await stage.problems()).to.deep.equal([]);
  });

  it('lists the 55 others as not served', async () => {
    expect((await stage.run('check')).stdout).to.contain('no problems');
    const list = await readFile(new URL('part/concordat.json', import.meta.url), 'utf8');
    const { notServed } = JSON.parse(list) as { readonly notServed: readonly string[] };
    expect(notServed).to.have.length(55);
    expect(notServed).not.to.include.members(MOVED);
  });

  it('answers a day of requests as before, the five operations by the engine', async () => {
    expect(await dayOf(() => stage.start())).to.deep.equal(await dayOf(() => startLegacyApp()));
    expect([...stage.operations].sort()).to.deep.equal(MOVED);
  });
});
