/** Tests the health check of the service. */

import { mock } from 'node:test';
import { expect } from 'chai';
import { ServiceError } from '../../src/core/model/error.js';
import { healthOf } from '../../src/service/watch/health.js';

describe('healthOf', () => {
  const reported: unknown[] = [];
  const recovered: string[] = [];
  const options = {
    isStopping: () => false,
    report: (error: unknown): void => void reported.push(error),
    recovered: ({ name }: { readonly name: string }): void => void recovered.push(name),
    patienceMs: 50,
  };
  const broker = (ping: () => Promise<void>) => ({ name: 'event broker', isRequired: false, ping });
  const store = (ping: () => Promise<void>) => ({ name: 'store', isRequired: true, ping });
  const well = () => Promise.resolve();
  afterEach(() => {
    reported.splice(0);
    recovered.splice(0);
  });

  it('names the dependency that does not answer, and reports why', async () => {
    const cause = new Error('password=hunter2');
    const dependencies = [broker(well), store(() => Promise.reject(cause))];
    const { fault } = await healthOf({ ...options, dependencies }).check();
    expect(fault).to.equal('The store does not answer');
    expect(reported).to.deep.equal([cause]);
  });

  it('is healthy, with a warning, when only what requests do not need is out of order', async () => {
    const cause = new Error('connection refused');
    const health = healthOf({
      ...options,
      dependencies: [store(well), broker(() => Promise.reject(cause))],
    });
    expect(await health.check()).to.deep.equal({
      fault: undefined,
      warnings: ['The event broker does not answer'],
    });
    expect(reported).to.deep.equal([cause]);
    expect([...health.answers]).to.deep.equal([
      ['store', true],
      ['event broker', false],
    ]);
  });

  it('says what is wrong in the words of the dependency', async () => {
    const full = store(() => Promise.reject(new ServiceError('storage-full', 'It is full')));
    const health = healthOf({ ...options, dependencies: [broker(well), full] });
    expect((await health.check()).fault).to.equal('It is full');
  });

  it('does not wait for a dependency that hangs, and asks it once for all probes of that time', async () => {
    let asked = 0;
    const hanging = store(() => {
      asked += 1;
      return new Promise<void>(() => undefined);
    });
    const health = healthOf({ ...options, dependencies: [hanging] });
    const states = await Promise.all([health.check(), health.check(), health.check()]);
    expect(new Set(states.map(({ fault }) => fault))).to.deep.equal(new Set(['The store does not answer']));
    expect(asked).to.equal(1);
    await health.check();
    expect(asked).to.equal(2);
  });

  it('asks by itself, and reports an outage and its end once each', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    let outcome = well;
    const health = healthOf({ ...options, dependencies: [store(() => outcome())] });
    // A check that is under way is shared, so this also waits for the one that the timer has begun.
    const afterTick = async () => {
      mock.timers.tick(2_500);
      await health.check();
    };
    try {
      health.watch();
      await afterTick();
      outcome = () => Promise.reject(new Error('it hangs'));
      await afterTick();
      expect(reported).to.have.length(1);
      expect(recovered).to.deep.equal([]);
      outcome = well;
      await afterTick();
      await afterTick();
      expect(recovered).to.deep.equal(['store']);
      health.close();
      outcome = () => Promise.reject(new Error('it hangs'));
      mock.timers.tick(10_000);
      expect(reported).to.have.length(1);
    } finally {
      mock.timers.reset();
    }
  });
});
