/** Tests that a receiver of webhooks that hangs does not make the stop fail. */

import { expect } from 'chai';
import { operator } from '../../src/core/services/rights/caller.js';
import { hostileReceiver } from '../support/hostile-receivers.js';
import { until } from '../support/until.js';
import { startWatched } from './server/watched-service.js';

describe('a service that stops while a receiver of events hangs', () => {
  it('ends the delivery in its time, and closes the store after it', async () => {
    const receiver = await hostileReceiver('answers nothing');
    const service = await startWatched({ OUTBOX: 'on', WEBHOOK_ALLOW: '127.0.0.1' });
    try {
      await service.services.webhooks.create(operator, { url: receiver.url, types: undefined });
      const user = { name: 'Ada', email: 'ada@example.com' };
      await service.services.users.create(operator, user);
      await until('the event is on its way', () => receiver.sockets.size > 0);
    } finally {
      await service.stop();
      receiver.stop();
    }
    expect(service.lines.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
  }).timeout(60_000);
});
