/** Tests the health check of the service. */

import { expect } from 'chai';
import { ServiceError } from '../../src/core/model/error.js';
import { healthOf } from '../../src/service/watch/health.js';

describe('healthOf', () => {
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  const options = { isStopping: () => false, report, patienceMs: 50 };
  const well = { name: 'event broker', ping: () => Promise.resolve() };
  const store = (ping: () => Promise<void>) => ({ name: 'store', ping });
  afterEach(() => reported.splice(0));

  it('finds no fault when everything answers', async () => {
    const health = healthOf({ ...options, dependencies: [well, well] });
    expect(await health.findFault()).to.equal(undefined);
    expect(reported).to.deep.equal([]);
  });

  it('names the dependency that does not answer, and reports why', async () => {
    const cause = new Error('password=hunter2');
    const health = healthOf({ ...options, dependencies: [well, store(() => Promise.reject(cause))] });
    expect(await health.findFault()).to.equal('The store does not answer');
    expect(reported).to.deep.equal([cause]);
  });

  it('says what is wrong in the words of the dependency', async () => {
    const full = store(() => Promise.reject(new ServiceError('storage-full', 'It is full')));
    expect(await healthOf({ ...options, dependencies: [well, full] }).findFault()).to.equal('It is full');
  });

  it('does not wait for a dependency that hangs, and asks it once for all probes of that time', async () => {
    let asked = 0;
    const hanging = store(() => {
      asked += 1;
      return new Promise<void>(() => undefined);
    });
    const health = healthOf({ ...options, dependencies: [hanging] });
    const faults = await Promise.all([health.findFault(), health.findFault(), health.findFault()]);
    expect(new Set(faults)).to.deep.equal(new Set(['The store does not answer']));
    expect(asked).to.equal(1);
    await health.findFault();
    expect(asked).to.equal(2);
  });

  it('is unhealthy while the service stops, even when everything answers', async () => {
    const health = healthOf({ ...options, dependencies: [well], isStopping: () => true });
    expect(await health.findFault()).to.equal('The service is stopping');
  });
});
