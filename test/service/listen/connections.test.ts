/** Connections that do not serve anybody: slow and half-closed ones, and more of them than the process may have. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { answerClientErrors } from '../../../src/runtime/transports/node.js';
import { Connections } from '../../../src/service/listen/connections.js';
import { compileService, serviceProgram } from '../../support/compiled-service.js';
import { RawSocket } from '../../support/raw-socket.js';
import { until } from '../../support/until.js';
import { exchange, openSocket, readAnswer, requestText } from '../../support/wire.js';
import { useWatched } from '../server/watched-service.js';
import { patientNow } from '../../support/durations.js';

const NEW_REQUEST = requestText('/healthz', { headers: ['Connection: close'] });

describe('a connection that is refused', () => {
  const service = useWatched();

  /** @returns how long, in milliseconds, the service keeps a connection that its client does not close */
  async function timeUntilReset(bytes: string): Promise<number> {
    const socket = await openSocket(service().url, true);
    socket.write(bytes);
    socket.resume();
    await once(socket, 'end');
    const started = patientNow();
    // The kernel answers what is sent to a destroyed socket with a reset.
    while (!socket.destroyed) {
      socket.write('x');
      await sleep(20);
    }
    return patientNow() - started;
  }

  for (const [what, bytes] of [
    ['a request that is not HTTP', 'nonsense\r\n\r\n'],
    ['headers that are too large', requestText('/', { headers: [`X-Long: ${'x'.repeat(20_000)}`] })],
    [
      'an upgrade of an unknown path',
      requestText('/nowhere', { headers: ['Connection: Upgrade', 'Upgrade: websocket'] }),
    ],
    [
      'a handshake without a key',
      requestText('/graphql', { headers: ['Connection: Upgrade', 'Upgrade: websocket'] }),
    ],
  ] as const) {
    it(`does not stay half open after ${what}`, async () => {
      expect(await timeUntilReset(bytes)).to.be.below(3_000);
    });
  }

  it('is destroyed after a 408, although the client does not close it', async () => {
    // Node finds slow requests after fifteen seconds, too long for a test: the error is passed on here as Node would.
    const { createServer } = await import('node:http');
    const server = createServer({
      headersTimeout: 100,
      requestTimeout: 100,
      connectionsCheckingInterval: 50,
    });
    answerClientErrors(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address() as { port: number };
    const socket = await openSocket(`http://127.0.0.1:${String(address.port)}`, true);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.write('GET / HTTP/1.1\r\nHo');
    await once(socket, 'end');
    expect(readAnswer(received)).to.include({ status: 408 });
    await until('the server has no connection', async () => {
      const [count] = await new Promise<readonly number[]>((resolve) => {
        server.getConnections((_, open) => {
          resolve([open]);
        });
      });
      return count === 0;
    });
    socket.destroy();
    server.close();
  });
});

describe('what is refused before any handler', () => {
  const service = useWatched();

  const createUser = (email: string): string => {
    const body = JSON.stringify({ name: 'Ada', email });
    const headers = ['Content-Type: application/json', `Content-Length: ${String(body.length)}`];
    return requestText('/api/users', { method: 'POST', headers }) + body;
  };
  const statusesOf = (received: string): readonly string[] =>
    [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);

  it('comes after the responses to requests in the same packet, which were executed, 20 times of 20', async () => {
    for (let run = 0; run < 20; run += 1) {
      const [first, second] = ['a', 'b'].map((name) => `${name}${String(run)}@example.com`);
      const received = await exchange(
        service().url,
        `${createUser(first ?? '')}${createUser(second ?? '')}nonsense\r\n\r\n`,
      );
      expect(statusesOf(received)).to.deep.equal(['201', '201', '400']);
      expect(received).to.match(
        new RegExp(`${first ?? ''}[^]*${second ?? ''}[^]*{"error":"The request is not valid HTTP"}$`),
      );
    }
  });

  it('has the error format of the contract, in the media type that is asked for', async () => {
    const expecting = (...headers: readonly string[]): string =>
      requestText('/api/users', { headers: ['Expect: zzz', 'Connection: close', ...headers] });
    const json = readAnswer(await exchange(service().url, expecting()));
    expect(json).to.deep.include({
      status: 417,
      body: { error: 'The only expectation that is met is 100-continue' },
    });
    const xml = await exchange(service().url, expecting('Accept: application/xml'));
    expect(xml).to.match(/Content-Type: application\/xml[^]*<error>The only expectation/);
    const unfinished = `${requestText('/api/users', { method: 'POST', headers: ['Transfer-Encoding: chunked', 'Content-Type: application/json'] })}nonsense\r\n`;
    const broken = await exchange(service().url, unfinished);
    expect(readAnswer(broken)).to.deep.include({
      status: 400,
      body: { error: 'The request is not valid HTTP' },
    });
    expect(statusesOf(broken)).to.deep.equal(['400']);
  });
});

describe('Connections, when there are too many', () => {
  const warnings: string[] = [];
  const busy = new Set<Socket>();
  const connections = new Connections(
    (warning) => void warnings.push(warning),
    (socket) => busy.has(socket),
    2,
  );
  const add = (): Socket => {
    const socket = new Socket();
    connections.add(socket);
    return socket;
  };
  const destroyed = (sockets: readonly Socket[]): readonly boolean[] => sockets.map((each) => each.destroyed);

  it('destroys the oldest that waits for a request, and the new one where all others are busy', () => {
    const [first, second] = [add(), add()];
    busy.add(first);
    const third = add();
    expect(destroyed([first, second, third])).to.deep.equal([false, true, false]);

    busy.add(third);
    const fourth = add();
    expect(destroyed([first, third, fourth])).to.deep.equal([false, false, true]);

    busy.delete(first);
    const fifth = add();
    expect(destroyed([first, third, fifth])).to.deep.equal([true, false, false]);
    expect(warnings).to.have.length(1);
    for (const socket of connections.sockets) socket.destroy();
  });
});

describe('a process that may open 128 files', () => {
  let directory = '';
  let child: ChildProcess | undefined;
  let output = '';
  let url = '';
  const sockets: Socket[] = [];

  before(async () => {
    directory = await compileService();
    child = spawn('/bin/sh', ['-c', 'ulimit -n 128; exec "$NODE" "$MAIN"'], {
      env: {
        NODE: process.execPath,
        MAIN: serviceProgram(directory),
        DATABASE_URL: 'memory:',
        PORT: '0',
        DEMO_DATA: 'off',
        LOG_LEVEL: 'debug',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    await until('it listens', () => /listens on (\S+)/.test(output));
    url = /listens on (\S+)/.exec(output)?.[1] ?? '';
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    child?.kill('SIGKILL');
    await rm(directory, { recursive: true });
  });

  it('serves new clients when others hold more connections than that without using them', async () => {
    const busy = await RawSocket.connect(url);
    for (let index = 0; index < 300; index += 1) {
      const socket = await openSocket(url, true);
      // A third each: silent, in the middle of a request, and kept open after one.
      if (index % 3 === 1) socket.write('GET / HTTP/1.1\r\nHo');
      if (index % 3 === 2) socket.write(requestText('/healthz'));
      sockets.push(socket);
      if (index % 20 === 0) {
        const started = patientNow();
        expect(readAnswer(await exchange(url, NEW_REQUEST)).status).to.equal(200);
        // Far less than the server waits for the rest of a request.
        expect(patientNow() - started).to.be.below(3_000);
      }
    }
    // A connection that is in use is not closed to make room.
    busy.say({ type: 'ping' });
    expect(await busy.hear()).to.deep.equal({ type: 'pong' });
    await busy.close();
  });

  it('says so once in its log', async () => {
    await until('it is written', () => output.includes('limit of open files'));
    // Lines are written five times per second.
    await sleep(500);
    const warnings = output.split('\n').filter((line) => line.includes('limit of open files'));
    expect(warnings).to.have.length(1);
    expect(JSON.parse(warnings[0] ?? '')).to.include({ level: 40 });
  });
});
