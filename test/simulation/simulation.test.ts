/** Plays simulated worlds from fixed seeds; `npm run simulate` plays others. */

import { expect } from 'chai';
import { allOperations, operationsOf } from './coverage.js';
import { plainSettings } from './settings.js';
import { type Failure, drawRun, play } from './simulate.js';

const shown = (failure: Failure | undefined): string | undefined =>
  failure && [failure.message, ...failure.log, JSON.stringify(failure.run)].join('\n');

describe('a simulated world', () => {
  const sent = new Set<string>();
  const played = new Map<number, Promise<Failure | undefined>>();
  /** Plays a seed once. */
  const failureOf = (seed: number): Promise<Failure | undefined> => {
    const observe = (call: Parameters<typeof operationsOf>[0]): void => {
      for (const operation of operationsOf(call)) sent.add(operation);
    };
    const playing = played.get(seed) ?? play(drawRun(seed, 200), [], observe);
    played.set(seed, playing);
    return playing;
  };
  const seeds = Array.from({ length: 16 }, (_, index) => index + 3);

  for (const seed of seeds) {
    it(`answers as the model does, from seed ${String(seed)}`, async function () {
      this.timeout(60_000);
      expect(shown(await failureOf(seed))).to.equal(undefined);
    });
  }

  it('has had every operation of the contracts', async function () {
    this.timeout(300_000);
    for (const seed of seeds) await failureOf(seed);
    expect(allOperations().filter((name) => !sent.has(name))).to.deep.equal([]);
  });

  it('lets a query over GraphQL read its parts at several moments', async () => {
    const step = {
      calls: [
        { action: 'users and posts over GraphQL', seed: 851790555, instance: 0 },
        { action: 'createPost', seed: 201143883, instance: 0 },
      ],
    };
    expect(shown(await play({ seed: 1, settings: plainSettings, steps: [step] }))).to.equal(undefined);
  });

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
