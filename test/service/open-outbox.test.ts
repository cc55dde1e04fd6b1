/** What the service says of webhooks: nothing of their addresses that may be secret. */
import { expect } from 'chai';
import { pino } from 'pino';
import { openOutbox } from '../../src/service/open/outbox.js';
import { Metrics } from '../../src/service/watch/metrics.js';

describe('a receiver that fails', () => {
  it('is logged at its first failure, and once an hour after it', async () => {
    const lines: string[] = [];
    const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
    const outbox = await openOutbox({ webhookAllow: undefined }, { log, metrics: new Metrics() });
    const webhook = { status: 'active', createdAt: '', consumer: undefined } as const;
    const fail = (id: string) =>
      outbox.noted?.('failed', { ...webhook, id, url: 'https://hooks.example.com/t0ken' }, 'status 500');
    const clock = performance.now.bind(performance);
    try {
      for (const minutes of [0, 1, 59]) {
        performance.now = () => clock() + minutes * 60_000;
        fail('7');
      }
      outbox.noted?.('failed', { ...webhook, id: '8', url: '', consumer: 'queue' }, 'the queue is down');
      expect(lines.map((line) => JSON.parse(line) as unknown)).to.deep.equal([
        {
          level: 40,
          webhook: '7',
          origin: 'https://hooks.example.com',
          answer: 'status 500',
          msg: 'a receiver of events fails',
        },
        { level: 40, consumer: 'queue', answer: 'the queue is down', msg: 'a receiver of events fails' },
      ]);
      performance.now = () => clock() + 61 * 60_000;
      fail('7');
      expect(lines).to.have.lengthOf(3);
    } finally {
      performance.now = clock;
    }
  });
});

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
