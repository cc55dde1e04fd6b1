/** The service as a process of its own: its signals, and how it says that it cannot start. */

import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { compileService } from '../crash/compiled-service.js';
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
});
