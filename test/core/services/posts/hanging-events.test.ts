/** A broker that never answers: writes do not wait for it, and subscribers are told in time. */

import { expect } from 'chai';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import type { Events } from '../../../../src/core/ports/events.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices } from '../../../../src/core/services/services.js';
import { Timers } from '../../../simulation/timers.js';

const hanging: Events = {
  publish: () => new Promise(() => undefined),
  subscribe: () => new Promise(() => undefined),
  ping: () => new Promise(() => undefined),
  close: () => Promise.resolve(),
};

describe('services with a broker that hangs', () => {
  const timers = new Timers(0);
  let restore: () => void;
  before(() => (restore = timers.install()));
  after(() => {
    restore();
  });

  const services = createServices({ storage: memoryStorage(), policy: openPolicy, events: hanging });
  const inTime = <T>(work: Promise<T>) => timers.until(work, 15_000);

  it('answer to writes', async () => {
    const anyone = { kind: 'anonymous' } as const;
    const none = {
      password: undefined,
      phone: undefined,
      city: undefined,
      role: undefined,
      status: undefined,
    };
    const ada = { ...none, name: 'Ada', email: 'ada@example.com' };
    expect(await inTime(services.users.create(anyone, ada))).to.include({ id: '1' });
    expect(await inTime(services.users.replace(anyone, '1', { ...ada, name: 'Eva' }))).to.include({
      name: 'Eva',
    });
    const post = { title: 'Shears', content: 'x', authorId: '1' };
    expect(await inTime(services.posts.create(anyone, post))).to.include({ id: '1' });
  });

  it('refuse a subscription as unavailable', async () => {
    const refusal = services.posts.subscribeAdded({ kind: 'anonymous' }).catch((error: unknown) => error);
    expect(await inTime(refusal)).to.include({ code: 'unavailable' });
  });
});
