/** The service as a process of its own: its signals, and a rolling restart behind nginx without a failed request. */

import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { compileService } from '../crash/compiled-service.js';
import { freePort } from '../support/free-port.js';
import { NginxServer, nginxAbsence } from '../support/nginx-server.js';
import { startProcess, type StartedProcess } from '../support/started-process.js';
import { until } from '../support/until.js';

describe('a service process', function () {
  this.timeout(60_000);
  let directory = '';
  const children: ChildProcess[] = [];

  before(async () => {
    directory = await compileService();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(() => rm(directory, { recursive: true }));

  async function start(variables: Readonly<Record<string, string>> = {}): Promise<StartedProcess> {
    const started = await startProcess(directory, variables);
    children.push(started.child);
    return started;
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends with 0 on ${signal}, and has written its log to the end`, async () => {
      const { child, output, url, exit } = await start();
      await fetch(`${url}/api/users`, { headers: { 'X-Request-Id': 'the-last' } });
      child.kill(signal);
      expect(await exit).to.equal(0);
      expect(output())
        .to.include('"requestId":"the-last"')
        .and.match(/"msg":"stopped"\}\n$/);
    });
  }

  it('ends at once on a second signal', async () => {
    const { child, output, exit } = await start({ STOP_DELAY: '300' });
    child.kill('SIGTERM');
    await until('it is stopping', () => output().includes('"msg":"stopping"'));
    child.kill('SIGTERM');
    expect(await exit).to.equal(143);
  });

  it('says all that is wrong with its settings, and ends with 1', async () => {
    const { output, exit } = await start({ PORT: 'x', LOG_LEVEL: 'loud' });
    expect(await exit).to.equal(1);
    expect(output())
      .to.match(/^PORT must be/m)
      .and.match(/^LOG_LEVEL must be/m);
    expect(output()).not.to.match(/^\s+at /m);
  });

  const title = 'behind nginx, restarted one after the other, fails no request';
  if (nginxAbsence !== undefined) {
    it.skip(`${title} (skipped: ${nginxAbsence})`);
    return;
  }
  it(title, async () => {
    const ports = [await freePort(), await freePort()];
    const settings = (port: number | undefined): Readonly<Record<string, string>> => ({
      PORT: String(port),
      LOG_LEVEL: 'error',
      TRUST_PROXY: '1',
    });
    const services = await Promise.all(ports.map((port) => start(settings(port))));
    const nginx = await NginxServer.start(ports);
    try {
      const statuses = new Map<string, number>();
      let isOver = false;
      const client = async (): Promise<void> => {
        while (!isOver) {
          const status = await fetch(`${nginx.url}/api/users`).then(
            async (answer) => {
              await answer.arrayBuffer();
              return String(answer.status);
            },
            (error: unknown) => String(error),
          );
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const clients = Array.from({ length: 8 }, client);
      const answered = (): number => statuses.get('200') ?? 0;
      for (const [index, port] of ports.entries()) {
        const before = answered();
        await until('requests are answered', () => answered() > before + 200);
        services[index]?.child.kill('SIGTERM');
        expect(await services[index]?.exit).to.equal(0);
        const between = answered();
        await until('the other one answers alone', () => answered() > between + 200);
        await start(settings(port));
      }
      const after = answered();
      await until('both answer', () => answered() > after + 200);
      isOver = true;
      await Promise.all(clients);
      expect([...statuses.keys()]).to.deep.equal(['200']);
      expect(answered()).to.be.above(1000);
    } finally {
      await nginx.stop();
    }
  });
});
