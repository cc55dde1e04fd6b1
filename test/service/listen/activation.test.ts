/** A socket that systemd holds: which process takes it, what is refused, and restarts that no request notices. */

import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../../src/service/settings/settings.js';
import { compileService, serviceProgram } from '../../support/compiled-service.js';
import { descriptorOf, HeldService } from '../../support/held-service.js';
import { nginxAbsence } from '../../support/nginx-server.js';
import { type RestartLoad, restartUnderLoad } from '../../support/restart-load.js';

const pid = String(process.pid);

describe('LISTEN_FDS', () => {
  it('gives its socket to the process of LISTEN_PID, whatever the name of the socket is', () => {
    const settings = readSettings({ LISTEN_FDS: '1', LISTEN_PID: pid, LISTEN_FDNAMES: 'http' });
    expect(settings).to.deep.include({ socket: 3, warnings: [] });
    for (const LISTEN_FDS of ['0', '', '-1', 'x', '01']) {
      const settings = readSettings({ LISTEN_FDS, LISTEN_PID: pid });
      expect(settings, LISTEN_FDS).to.deep.include({ socket: undefined, warnings: [] });
    }
    expect(readSettings({}).socket).to.equal(undefined);
  });

  it('is refused with several sockets, of which all but one would be ignored', () => {
    for (const LISTEN_FDS of ['2', '12'])
      expect(() => readSettings({ LISTEN_FDS, LISTEN_PID: pid })).to.throw(
        `LISTEN_FDS gives ${LISTEN_FDS} sockets, and the service listens on one: leave one ListenStream= in the socket unit`,
      );
  });

  it('is not used by another process, which has a warning', () => {
    expect(readSettings({ LISTEN_FDS: '1', LISTEN_PID: '1' })).to.deep.include({
      socket: undefined,
      warnings: [
        `the socket of LISTEN_FDS is not used: it is for process 1 (LISTEN_PID), and this is ${pid}`,
      ],
    });
    expect(readSettings({ LISTEN_FDS: '1' }).warnings).to.have.length(1);
  });
});

describe('a service on a socket of its parent', () => {
  let directory = '';
  before(async () => {
    directory = await compileService();
  });
  after(() => rm(directory, { recursive: true }));

  /**
   * Runs the service to its end, with a descriptor 3.
   *
   * @param given - called when the service has the descriptor
   */
  async function runWith(
    fd: number | 'ignore',
    given: () => unknown = () => undefined,
  ): Promise<{ readonly status: number | null; readonly stderr: string }> {
    const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"';
    const child = spawn('/bin/sh', ['-c', script, 'sh', process.execPath, serviceProgram(directory)], {
      env: { DATABASE_URL: 'memory:', DEMO_DATA: 'off', LOG_LEVEL: 'silent', STOP_DELAY: '1' },
      stdio: ['ignore', 'ignore', 'pipe', fd],
      timeout: 60_000,
    });
    given();
    const stderr = text(child.stderr as Readable);
    const [status] = (await once(child, 'exit')) as [number | null];
    return { status, stderr: await stderr };
  }

  it('refuses a socket on a public address without a policy, as it refuses such a HOST, and answers nothing on it', async () => {
    const socket = createServer().listen(0, '0.0.0.0');
    await once(socket, 'listening');
    const { port } = socket.address() as AddressInfo;
    const state: { answer?: Promise<unknown> } = {};
    const refused = await runWith(descriptorOf(socket), () => {
      // Only the service can accept connections from now on.
      socket.close();
      state.answer = fetch(`http://127.0.0.1:${String(port)}/healthz`).then(
        ({ status }) => status,
        () => 'no answer',
      );
    });
    expect(refused).to.deep.equal({
      status: 1,
      stderr:
        'AUTH_POLICY must be given unless the socket is on loopback (it is on 0.0.0.0): protected, or open to admit every caller\n',
    });
    expect(await state.answer).to.equal('no answer');
  });

  it('refuses a descriptor that is not a TCP socket', async () => {
    const path = join(tmpdir(), `concordat-${pid}.sock`);
    const socket = createServer().listen(path);
    await once(socket, 'listening');
    try {
      expect(await runWith(descriptorOf(socket))).to.deep.equal({
        status: 1,
        stderr: 'The socket of LISTEN_FDS is not a TCP socket: give ListenStream= a port\n',
      });
    } finally {
      socket.close();
    }
    const none = await runWith('ignore');
    expect(none.status).to.equal(1);
    expect(none.stderr).to.match(/^LISTEN_FDS gives no socket that can be listened on \(\w+\)\n$/);
  });

  it('leaves the connections that wait to the next process', async () => {
    const service = await HeldService.start(directory, { DATABASE_URL: 'memory:' }, true);
    try {
      const url = `http://127.0.0.1:${String(service.port)}/healthz`;
      const restarted = service.restart();
      const state = { isRestarting: true };
      const statuses: number[] = [];
      const client = (async () => {
        while (state.isRestarting)
          statuses.push((await fetch(url, { headers: { connection: 'close' } })).status);
      })();
      await restarted;
      state.isRestarting = false;
      await client;
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
    } finally {
      await service.stop();
    }
  });

  const behindNginx = nginxAbsence === undefined ? it : it.skip;
  const skipped = nginxAbsence === undefined ? '' : ` (skipped: ${nginxAbsence})`;

  /** The short form of `npm run bench -- operations restarts`. */
  const load = (change: Pick<RestartLoad, 'isHeld'>) =>
    restartUnderLoad({ directory, restarts: 3, requests: 300, busyLoops: 0, ...change });

  behindNginx(
    `fails no POST behind nginx when it restarts, and carries none out twice${skipped}`,
    async () => {
      const { failures, requests, stored, storedRequests } = await load({ isHeld: true });
      expect([...failures]).to.deep.equal([]);
      expect([stored, storedRequests]).to.deep.equal([requests, requests]);
    },
  );

  behindNginx(`fails at most one on a PORT of its own${skipped}`, async () => {
    const { failures, failed, requests, stored, storedRequests } = await load({ isHeld: false });
    expect(failed, [...failures.keys()].join()).to.be.at.most(1);
    expect(stored)
      .to.equal(storedRequests)
      .and.to.be.at.least(requests - failed);
  });
});
