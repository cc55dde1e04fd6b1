/** Tests the commands for webhooks. */

import { expect } from 'chai';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { run, useDirectory } from './run.js';

describe('concordat-service webhooks', () => {
  const at = useDirectory();
  const env = { DATABASE_URL: `sqlite:${at('webhooks.db')}`, WEBHOOK_ALLOW: '127.0.0.1' };
  const webhooks = (...parameters: string[]) => run(['webhooks', ...parameters], env);
  let receiver: WebhookReceiver;
  before(async () => (receiver = await WebhookReceiver.start()));
  after(() => receiver.stop());

  it('creates a webhook and prints its secret, lists it without the secret, tests it, and deletes it', async () => {
    const created = await webhooks('create', receiver.url, '--types', 'user.created, user.deleted', '--json');
    const { id, secret } = JSON.parse(created.stdout) as { readonly id: string; readonly secret: string };
    receiver.secrets = [secret];
    const listed = await webhooks('list');
    expect(listed.stdout).to.match(/^1\tactive\t\S+\thttp:\S+\tuser.created,user.deleted\n$/);
    const tested = await webhooks('test', id);
    expect(tested).to.deep.equal({ exitCode: 0, stdout: 'delivered: status 204\n', stderr: '' });
    const rotated = await webhooks('rotate', id);
    expect(rotated.stdout).to.match(
      /^whsec_\S+\nThe webhook to \S+ has the id 1\. Keep the secret: it is not shown again\.\n$/,
    );
    receiver.answer = () => 503;
    expect(await webhooks('test', id)).to.deep.equal({
      exitCode: 1,
      stdout: '',
      stderr: 'The webhook 1 did not take the event: status 503\n',
    });
    receiver.answer = () => 204;
    expect((await run(['webhooks', 'test', id], { ...env, WEBHOOK_ALLOW: '' })).stderr).to.match(
      /^The webhook 1 did not take the event: url leads to the address 127.0.0.1, .*WEBHOOK_ALLOW/,
    );
    expect((await webhooks('delete', id)).stdout).to.equal('The webhook 1 is deleted\n');
    expect((await webhooks('list')).stdout).to.equal('');
    expect(receiver.refusals).to.deep.equal([]);
  });

  it('shows the deliveries of writes by commands, and delivers them again', async () => {
    const { stdout } = await webhooks('create', receiver.url, '--json');
    const { id } = JSON.parse(stdout) as { readonly id: string };
    const user = ['users', 'create', '--email', 'ada@example.com', '--json'];
    expect((await run(user, env, 'correct horse\n')).exitCode).to.equal(0);
    const deliveries = await webhooks('deliveries', id);
    expect(deliveries.stdout).to.match(/^1\tpending\t0\t\S+\tuser.created\tuser:1\t-\n$/);
    expect((await webhooks('redeliver', id)).stdout).to.equal('1 event is delivered again\n');
    expect((await webhooks('redeliver', id, '--delivery', '1')).stdout).to.equal(
      '1 event is delivered again\n',
    );
    expect(await webhooks('redeliver', id, '--delivery', '2')).to.deep.include({
      exitCode: 1,
      stderr: 'Delivery not found\n',
    });
  });

  it('are moved with the store, with what waits for them', async () => {
    const other = { ...env, DATABASE_URL: `sqlite:${at('moved.db')}` };
    expect(await run(['export', 'store', '--out', at('store.jsonl')], env)).to.include({ exitCode: 0 });
    expect(await run(['import', 'store', at('store.jsonl')], other)).to.include({ exitCode: 0 });
    for (const command of [['list'], ['deliveries', '2']]) {
      const moved = await run(['webhooks', ...command], other);
      expect(moved).to.deep.equal(await webhooks(...command));
      expect(moved.stdout).to.not.equal('');
    }
    const { stdout } = await run(['webhooks', 'create', receiver.url, '--json'], other);
    expect(JSON.parse(stdout)).to.include({ id: '3' });
  });

  for (const [title, parameters, exitCode, stderr] of [
    [
      'a private address',
      ['create', 'http://10.0.0.1/'],
      1,
      'url leads to the address 10.0.0.1, which is neither public nor allowed (WEBHOOK_ALLOW)\n',
    ],
    ['what is no address', ['create', 'hooks'], 1, 'url must begin with https:// or http://\n'],
    [
      'a type that does not exist',
      ['create', 'http://127.0.0.1/', '--types', 'user.promoted'],
      2,
      'user.promoted is none of',
    ],
    ['no address', ['create'], 2, "Missing required argument 'url'\n"],
    ['an unknown webhook', ['delete', '99'], 1, 'Webhook not found\n'],
    ['a text in the place of an id', ['test', 'x'], 1, 'Webhook not found\n'],
  ] as const) {
    it(`refuses ${title}`, async () => {
      const outcome = await webhooks(...parameters);
      expect([outcome.exitCode, outcome.stdout]).to.deep.equal([exitCode, '']);
      expect(outcome.stderr).to.include(stderr);
    });
  }

  it('refuses networks in WEBHOOK_ALLOW that are none', async () => {
    for (const given of ['10.0.0.0/33', '10.0.0/8', 'a b', '::1/129', 'x/8', '10.0.0.0/8,']) {
      const { exitCode, stderr } = await run(['webhooks', 'list'], { ...env, WEBHOOK_ALLOW: given });
      expect([exitCode, stderr.split(', not ')[0]], given).to.deep.equal([
        1,
        'WEBHOOK_ALLOW must be a comma-separated list of hosts, addresses and networks such as 10.0.0.0/8',
      ]);
    }
  });
});
