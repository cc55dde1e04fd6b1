/** The steps of an adoption after the recording: each answers a day of requests as the application did before. */

import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Observer } from '@concordat/runtime/observe';
import { newDeviations } from '@concordat/runtime/testing';
import { type Stage, dayOf, readStage } from './stage.js';
import { startLegacyApp } from './start-legacy-app.js';

const MOVED = ['addNote', 'createCustomer', 'getCustomer', 'getMe', 'listCustomers'];

describe('adoption', () => {
  let before: readonly unknown[] | undefined;
  let stage: Stage | undefined;

  const on = async (name: string): Promise<Stage> => (stage = await readStage(name));
  const answersAsBefore = async ({ start, problems }: Stage): Promise<void> => {
    expect(await problems()).to.deep.equal([]);
    before ??= await dayOf(startLegacyApp);
    const answers = await dayOf(start);
    expect(answers.filter((answer, index) => !isDeepStrictEqual(answer, before?.[index]))).to.deep.equal([]);
  };
  afterEach(() => stage?.remove());

  it('observes with the reviewed document, from which no answer deviates', async () => {
    const observed = await on('observed');
    const { observer } = (await observed.import('observed/app.ts')) as { readonly observer: Observer };
    await answersAsBefore(observed);
    await observer.settled();
    expect(observer.counters.checked).to.be.at.least(100);
    const known = new URL('observed/concordat.json', import.meta.url).pathname;
    expect(await newDeviations(known, observer.deviations())).to.deep.equal([]);
  });

  it('moves five operations, and lists the others as not served', async () => {
    const part = await on('part');
    await answersAsBefore(part);
    expect([...part.operations].sort()).to.deep.equal(MOVED);
    expect((await part.run('check')).stdout).to.contain('no problems');
    const list = await readFile(new URL('part/concordat.json', import.meta.url), 'utf8');
    const { notServed } = JSON.parse(list) as { readonly notServed: readonly string[] };
    expect(notServed).to.have.length(30);
    expect(notServed).not.to.include.members(MOVED);
  });
});
