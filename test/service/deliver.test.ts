/** A process that only delivers, beside one that only stores events. */
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operator } from '../../src/core/services/rights/caller.js';
import { createService, type Service } from '../../src/service/create-service.js';
import { readSettings } from '../../src/service/settings/settings.js';
import { until } from '../support/until.js';
import { run, start, useDirectory } from './run.js';

const input = { name: 'Ada' };

describe('concordat-service deliver', () => {
  const path = useDirectory();
  const received: string[] = [];
  let receiver: Server;
  let variables: Readonly<Record<string, string>>;
  let storing: Service;
  before(async () => {
    receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      request.resume().once('end', () => response.writeHead(204).end());
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    variables = {
      DATABASE_URL: `sqlite:${path('service.db')}`,
      WEBHOOK_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'silent',
      DEMO_DATA: 'off',
      PORT: '0',
    };
    storing = await createService({ settings: readSettings({ ...variables, OUTBOX: 'store' }) });
    const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/`;
    await storing.services.webhooks.create(operator, { url, types: ['user.created'] });
  });
  beforeEach(() => void received.splice(0));
  after(async () => {
    await storing.close();
    receiver.close();
    receiver.closeAllConnections();
  });

  const addUsers = async (count: number): Promise<void> => {
    for (let user = 0; user < count; user += 1) {
      const email = `ada${String(Math.random())}@example.com`;
      await storing.services.users.create(operator, { ...input, email });
    }
  };

  async function startRunning(command: string) {
    const running = start([command], variables);
    const [line] = (await once(running.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString().split('\n')[0] ?? '') as { readonly url: string };
    return { url, ...running };
  }

  const startDelivering = () => startRunning('deliver');

  it('delivers what another process has stored, which delivers nothing itself', async () => {
    await addUsers(3);
    storing.services.outbox.wake();
    expect(await storing.events.outbox(() => undefined).catch(String)).to.equal(
      'Error: consumers of events need the setting OUTBOX=on',
    );
    expect(received).to.deep.equal([]);
    const { url, ended, stop } = await startDelivering();
    await until('all events arrive', () => received.length >= 3);
    for (const [page, status] of [
      ['/healthz', 200],
      ['/readyz', 200],
      ['/', 404],
      ['/api/users', 404],
    ] as const) {
      const answer = await fetch(url + page);
      expect(answer.status, page).to.equal(status);
      if (status === 404) expect(await answer.json()).to.deep.equal({ error: 'Not found' });
    }
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).to.equal(405);
    await until('the deliveries are counted', async () =>
      /^outbox_deliveries_total\{outcome="delivered"\} 3$/m.test(
        await (await fetch(`${url}/metrics`)).text(),
      ),
    );
    stop();
    expect(await ended).to.equal(0);
    await addUsers(1);
    expect(received).to.have.lengthOf(3);
  });

  for (const command of ['deliver', 'serve'])
    it(`survives a promise that something forgot, and counts it: ${command}`, async () => {
      const before = process.listenerCount('unhandledRejection');
      const { url, ended, stop } = await startRunning(command);
      // To forget a promise here would fail the tests: only the listener of the program hears of it.
      process.listeners('unhandledRejection').at(-1)?.(new Error('forgotten'), Promise.resolve());
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).to.match(/^service_unhandled_rejections_total 1$/m);
      stop();
      expect(await ended).to.equal(0);
      expect(process.listenerCount('unhandledRejection')).to.equal(before);
    });

  it('shares the deliveries with others, each event once', async () => {
    const processes = [await startDelivering(), await startDelivering()];
    await addUsers(20);
    await until('all events arrive', () => received.length >= 20);
    for (const { stop } of processes) stop();
    for (const { ended } of processes) expect(await ended).to.equal(0);
    expect(new Set(received).size).to.equal(received.length);
  });

  it('refuses a store that it cannot reach, and so does OUTBOX=store', async () => {
    const refused = await run(['deliver'], { DATABASE_URL: 'memory:', PORT: '0' });
    expect([refused.exitCode, refused.stderr]).to.deep.equal([
      1,
      'DATABASE_URL is memory:, which other processes cannot reach: name a lasting store, sqlite:<path> or postgres://…\n',
    ]);
    expect(() => readSettings({ OUTBOX: 'store', DATABASE_URL: 'memory:' })).to.throw(
      'OUTBOX is store, and DATABASE_URL is memory:, which concordat-service deliver cannot reach: use on',
    );
  });

  it('needs no secrets, and reports each wrong setting', async () => {
    const refused = await run(['deliver'], { ...variables, NODE_ENV: 'production', PORT: 'x', HOST: '-' });
    expect([refused.exitCode, refused.stderr.trimEnd().split('\n').length]).to.deep.equal([1, 2]);
  });
});
