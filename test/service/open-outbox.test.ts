/** What the service says of webhooks: nothing of their addresses that may be secret. */
import { expect } from 'chai';
import { pino } from 'pino';
import { openOutbox } from '../../src/service/open/outbox.js';
import { Metrics } from '../../src/service/watch/metrics.js';

describe('a webhook that is disabled', () => {
  it('is logged and counted without the path and the query of its address', async () => {
    const lines: string[] = [];
    const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
    const metrics = new Metrics();
    const outbox = await openOutbox({ webhookAllow: undefined }, { log, metrics });
    const webhook = { status: 'disabled', createdAt: '', consumer: undefined } as const;
    const url = 'https://hooks.example.com:8443/services/t0ken?key=s3cret';
    outbox.noted?.('disabled', { ...webhook, id: '7', url }, 'status 410');
    expect(lines.map((line) => JSON.parse(line) as unknown)).to.deep.equal([
      {
        level: 50,
        webhook: '7',
        origin: 'https://hooks.example.com:8443',
        answer: 'status 410',
        msg: 'a webhook is disabled',
      },
    ]);
    const { text } = await metrics.render();
    expect(text).to.match(/^outbox_deliveries_total\{outcome="disabled"\} 1$/m);
    expect(text).not.to.match(/example|t0ken|s3cret/);
  });
});
