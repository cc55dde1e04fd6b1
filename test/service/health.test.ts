/** Whether the service can serve. */

import { expect } from 'chai';
import { healthOf } from '../../src/service/health.js';

describe('healthOf', () => {
  const well = { name: 'event broker', ping: () => Promise.resolve() };
  const running = (): boolean => false;

  it('finds nothing where everything answers', async () => {
    expect(await healthOf([well, well], running).findFault()).to.equal(undefined);
  });

  it('names what does not answer', async () => {
    const broken = { name: 'store', ping: () => Promise.reject(new Error('password=hunter2')) };
    expect(await healthOf([well, broken], running).findFault()).to.equal('The store does not answer');
  });

  it('does not wait for what hangs', async () => {
    const hanging = { name: 'store', ping: () => new Promise<void>(() => undefined) };
    expect(await healthOf([hanging], running, 10).findFault()).to.equal('The store does not answer');
  });

  it('is not well while the service stops, whatever answers', async () => {
    expect(await healthOf([well], () => true).findFault()).to.equal('The service is stopping');
  });
});
