/** `npm start` as an init system runs it: a signal to npm ends the service, cleanly and with exit code 0. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { compileService } from '../support/compiled-service.js';
import { until } from '../support/until.js';
import { ROOT } from '../architecture/source-tree.js';

describe('npm start', () => {
  let directory = '';
  /** The process groups that npm leads. */
  const groups: number[] = [];
  before(async () => {
    directory = await compileService();
    await cp(`${ROOT}package.json`, join(directory, 'package.json'));
  });
  afterEach(() => {
    for (const group of groups.splice(0)) {
      try {
        // If the test fails, the service may be left without its parent.
        process.kill(-group, 'SIGKILL');
      } catch {
        // All of them have ended.
      }
    }
  });
  after(() => rm(directory, { recursive: true }));

  for (const [what, signal, toGroup] of [
    ['SIGTERM', 'SIGTERM', false],
    ['SIGINT', 'SIGINT', false],
    ['Ctrl-C, which npm and the service both get', 'SIGINT', true],
  ] as const) {
    it(`ends with 0 on ${what}, and the service with it`, async () => {
      const npm = spawn('npm', ['start'], {
        cwd: directory,
        env: { PATH: process.env['PATH'], DATABASE_URL: 'memory:', PORT: '0', DEMO_DATA: 'off' },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const { pid } = npm;
      if (pid === undefined) throw new Error('npm did not start');
      groups.push(pid);
      let output = '';
      for (const stream of [npm.stdout, npm.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
      }
      await until('the service listens', () => output.includes('listens on'));
      const [, url = ''] = /listens on (\S+)/.exec(output) ?? [];
      const closed = once(npm, 'close');
      process.kill(toGroup ? -pid : pid, signal);
      // The event comes when nobody holds the pipes any more, npm or service.
      expect((await closed)[0], output).to.equal(0);
      expect(output).to.match(/"msg":"stopped"\}\n$/);
      const answer = await fetch(`${url}/healthz`).catch(() => 'nobody listens');
      expect(answer).to.equal('nobody listens');
    });
  }
});
