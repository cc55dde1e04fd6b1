/** Tests the health check of the service. */

import { expect } from 'chai';
import { ServiceError } from '../../src/core/model/error.js';
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

  it('says when the store has no room, in the words of the store', async () => {
    const full = {
      name: 'store',
      ping: () => Promise.reject(new ServiceError('storage-full', 'It is full')),
    };
    expect(await healthOf([well, full], running).findFault()).to.equal('It is full');
  });

  it('does not wait for a dependency that hangs', async () => {
    const hanging = { name: 'store', ping: () => new Promise<void>(() => undefined) };
    expect(await healthOf([hanging], running, 10).findFault()).to.equal('The store does not answer');
  });

  it('is unhealthy while the service stops, even when everything answers', async () => {
    expect(await healthOf([well], () => true).findFault()).to.equal('The service is stopping');
  });
});
