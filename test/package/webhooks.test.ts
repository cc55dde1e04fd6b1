/** The guide to webhooks: its receiver, generated from the service's contract, and its queue, in a project with the packages that they name. */

import { execFile, spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { ROOT } from '../architecture/source-tree.js';
import { freePort } from '../support/free-port.js';
import { sharedRedis, withRedis } from '../support/redis-server.js';
import { until } from '../support/until.js';
import { useConsumers } from './consumer.js';
import { programCommands } from './installed-packages.js';
import { block } from './readme-blocks.js';
import { serving } from './serving.js';

const run = promisify(execFile);

withRedis('guide: webhooks for the receivers', function () {
  const consumerWith = useConsumers();

  it('delivers events to the generated receiver and to a stream of Redis', async () => {
    const team = consumerWith([
      ...['@concordat/service', '@concordat/runtime', 'concordat', 'ioredis', 'typescript', '@types/node'],
    ]);
    copyFileSync(join(ROOT, 'openapi.yaml'), join(team.directory, 'openapi.yaml'));
    for (const name of ['receiver.yaml', 'receive.ts', 'queue.ts'] as const) team.write(name, block(name));
    for (const [program = '', ...parameters] of programCommands(block('generate the receiver'))) {
      const { status, stderr } = team.node(`node_modules/.bin/${program}`, ...parameters);
      expect(status, stderr).to.equal(0);
    }
    expect(team.typeProblems('receive.ts', 'queue.ts')).to.deep.equal([]);
    for (const name of ['receive.ts', 'queue.ts']) team.compile(name, '.');

    const redis = new Redis((await sharedRedis()).url);
    const port = await freePort();
    const env = {
      ...{
        DATABASE_URL: `sqlite:${join(team.directory, 'service.db')}`,
        WEBHOOK_ALLOW: '127.0.0.1',
        OUTBOX: 'on',
      },
      ...{ DEMO_DATA: 'off', LOG_LEVEL: 'silent', NODE_ENV: 'test' },
    };
    const [command = []] = programCommands(block('create a webhook'));
    const created = await run(
      process.execPath,
      [
        'node_modules/.bin/concordat-service',
        ...command.slice(1).map((each) => each.replace('3001', String(port))),
      ],
      { cwd: team.directory, env: { ...process.env, ...env } },
    );
    const [secret = ''] = created.stdout.split('\n');
    expect(secret).to.match(/^whsec_/);
    const receiver = spawn(process.execPath, ['receive.js'], {
      cwd: team.directory,
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    receiver.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const test = async (servicePort: number) => {
      const headers = { 'Content-Type': 'application/json' };
      const hooks = `http://127.0.0.1:${String(port)}/hooks`;
      const forged = () => fetch(hooks, { method: 'POST', headers, body: '{}' }).catch(() => undefined);
      await until(
        'the receiver listens, and refuses a forged event',
        async () => (await forged())?.status === 401,
      );
      const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com' });
      const url = `http://127.0.0.1:${String(servicePort)}/api/users`;
      expect((await fetch(url, { method: 'POST', headers, body })).status).to.equal(201);
      await until('the receiver has the event', () => output === 'Ada was created\n');
      await until('the stream has it', async () => (await redis.xlen('events')) === 1);
    };
    try {
      await serving(team, 'queue.js', test, { ...env, QUEUE_URL: (await sharedRedis()).url });
    } finally {
      receiver.kill();
    }
    const [[, [, id = '', , event = '']] = ['', []]] = await redis.xrange('events', '-', '+');
    expect(JSON.parse(event)).to.deep.include({ id, type: 'user.created', subject: 'user:1' });
    await redis.quit();
  });
});
