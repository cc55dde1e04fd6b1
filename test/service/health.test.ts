/** Tests the health check of the service. */

import { expect } from 'chai';
import { healthOf } from '../../src/service/watch/health.js';

describe('healthOf', () => {
  const well = { name: 'event broker', ping: () => Promise.resolve() };
  const running = (): boolean => false;

  it('finds no fault when everything answers', async () => {
    expect(await healthOf([well, well], running).findFault()).to.equal(undefined);
  });

  it('names the dependency that does not answer', async () => {
    const broken = { name: 'store', ping: () => Promise.reject(new Error('password=hunter2')) };
    expect(await healthOf([well, broken], running).findFault()).to.equal('The store does not answer');
  });

  it('does not wait for a dependency that hangs', async () => {
    const hanging = { name: 'store', ping: () => new Promise<void>(() => undefined) };
    expect(await healthOf([hanging], running, 10).findFault()).to.equal('The store does not answer');
  });

  it('is unhealthy while the service stops, even when everything answers', async () => {
    expect(await healthOf([well], () => true).findFault()).to.equal('The service is stopping');
  });
});
