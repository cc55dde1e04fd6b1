/** Tests how the service stops, and its failures to start. */

import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../support/until.js';
import { type WatchedService, startWatched } from './server/watched-service.js';
import { patientNow } from '../support/durations.js';

const BODY = JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' });

describe('stopping', () => {
  let service: WatchedService;
  const sockets: Socket[] = [];

  async function start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    service = await startWatched(variables);
  }

  afterEach(async () => {
    mock.restoreAll();
    await service.stop();
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** A connection, and all data received so far. */
  function open(): {
    readonly socket: Socket;
    readonly received: () => string;
    readonly ended: Promise<unknown>;
  } {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined);
    return { socket, received: () => text, ended: once(socket, 'close') };
  }

  /** A request whose body has not been sent yet. */
  async function openRequest(): Promise<ReturnType<typeof open>> {
    const connection = open();
    connection.socket.write(
      `POST /api/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${String(BODY.length)}\r\n\r\n`,
    );
    await until('the request is in flight', async () =>
      (await (await fetch(`${service.url}/metrics`)).text()).includes('http_requests_in_flight 2'),
    );
    return connection;
  }

  it('finishes requests in flight, and only then closes the store', async () => {
    await start({ STOP_TIMEOUT: '3' });
    const { socket, received, ended } = await openRequest();
    let isStopped = false;
    const stopped = service.stop().then(() => (isStopped = true));
    await until('no connection is accepted any more', () => refused(service.url));
    expect(isStopped).to.equal(false);
    socket.write(BODY);
    await ended;
    expect(received())
      .to.match(/^HTTP\/1\.1 201 Created\r\n[^]*Connection: close\r\n/)
      .and.include('"name":"Ada Lovelace"');
    await stopped;
  });

  it('does not wait for a connection without a request', async () => {
    await start();
    const { socket, ended } = open();
    await once(socket, 'connect');
    // Connections are accepted in the order of arrival.
    await fetch(`${service.url}/healthz`);
    await service.stop();
    await ended;
  });

  it('closes idle keep-alive connections', async () => {
    await start();
    const idle = open();
    idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until('it is answered', () => idle.received().includes('"up"'));
    await service.stop();
    await idle.ended;
  });

  it('answers a late request on a kept connection, but does not wait for a subscription', async () => {
    for (const [path, accept, answer] of [
      ['/api/users', '*/*', /^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n/],
      [
        '/graphql?query=subscription{postAdded{id}}',
        'text/event-stream',
        /text\/event-stream[^]*\r\n0\r\n\r\n$/,
      ],
    ] as const) {
      await start({ STOP_TIMEOUT: '1' });
      const kept = open();
      kept.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await until('it is answered', () => kept.received().includes('"up"'));
      const before = kept.received().length;
      const stopped = service.stop();
      await until('no connection is accepted any more', () => refused(service.url));
      kept.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\n\r\n`);
      const began = patientNow();
      await Promise.all([stopped, kept.ended]);
      expect(patientNow() - began).to.be.below(5000);
      expect(kept.received().slice(before)).to.match(answer);
    }
  });

  it('answers the connections that have arrived and are not accepted yet', async () => {
    await start({ STOP_TIMEOUT: '1' });
    const waiting = Array.from({ length: 20 }, () => open());
    for (const { socket } of waiting) socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // They are connected in this tick, and the kernel has them before the service can accept one.
    const stopped = new Promise((resolve) => {
      process.nextTick(() => {
        resolve(service.stop());
      });
    });
    await Promise.all([stopped, ...waiting.map(({ ended }) => ended)]);
    for (const { received } of waiting) expect(received()).to.match(/^HTTP\/1\.1 200 [^]*"up"/);
  });

  it('keeps connections open while requests arrive on any of them, and closes them once none does', async () => {
    // The clock goes on only when the test says so, and the time after which all is cut off does not pass.
    let time = performance.now();
    mock.method(performance, 'now', () => (time += 1e-4));
    const { setTimeout } = globalThis;
    mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) =>
      setTimeout(run, ms === 1000 ? 600_000 : ms),
    );
    await start({ STOP_TIMEOUT: '1' });
    const kept = Array.from({ length: 6 }, () => open());
    for (const { socket, received } of kept) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await until('it is answered', () => received().includes('"up"'));
    }
    const unused = open();
    await once(unused.socket, 'connect');
    await fetch(`${service.url}/healthz`);
    const stopped = service.stop();
    await until('no connection is accepted any more', () => refused(service.url));
    // A proxy uses each of its connections sooner or later, and does not repeat a POST.
    for (const { socket, received, ended } of [unused, ...kept.slice(1)]) {
      // Most of the time after which idle connections are closed, and what it takes until they are looked for.
      time += 150;
      await sleep(250);
      const before = received().length;
      socket.write(
        `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"query":"{me"}`,
      );
      await ended;
      expect(received().slice(before)).to.match(/^HTTP\/1\.1 200 [^]*Connection: close\r\n/);
    }
    // One connection is left, which nobody uses.
    expect(kept[0]?.socket.closed).to.equal(false);
    time += 200;
    await Promise.all([stopped, kept[0]?.ended]);
  });

  it('refuses a WebSocket on a kept connection, and says when to try again', async () => {
    await start({ STOP_TIMEOUT: '3' });
    // Keeps the service from being gone before the upgrade arrives.
    const { socket, ended } = await openRequest();
    const kept = open();
    kept.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until('it is answered', () => kept.received().includes('"up"'));
    const before = kept.received().length;
    const stopped = service.stop();
    await until('no connection is accepted any more', () => refused(service.url));
    kept.socket.write(
      [
        'GET /graphql HTTP/1.1',
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol: graphql-transport-ws',
        '\r\n',
      ].join('\r\n'),
    );
    await kept.ended;
    const answer = kept.received().slice(before);
    expect(answer).to.match(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(answer).to.match(/\r\nRetry-After: 2\r\n/i);
    expect(answer).to.match(/\r\n\r\n\{"error":"The service is stopping"\}$/);
    socket.write(BODY);
    await Promise.all([stopped, ended]);
  });

  it('cuts off requests that take longer than STOP_TIMEOUT', async () => {
    await start();
    const { received, ended } = await openRequest();
    await service.stop();
    await ended;
    expect(received()).to.equal('');
  });

  it('is not ready during STOP_DELAY, but still serves, and closes connections after each answer', async () => {
    await start({ STOP_DELAY: '1' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const stopped = service.stop();
    const ready = await fetch(`${service.url}/readyz`);
    expect(ready.status).to.equal(503);
    expect(await ready.json()).to.deep.equal({ error: 'The service is stopping' });
    expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
    const [response] = (await once(get(`${service.url}/api/users`, { agent }), 'response')) as [
      { statusCode: number; headers: Record<string, string>; resume(): void },
    ];
    response.resume();
    expect(response.statusCode).to.equal(200);
    expect(response.headers['connection']).to.equal('close');
    await stopped;
    agent.destroy();
  });

  it('happens once, even when it is requested several times', async () => {
    await start();
    await Promise.all([service.stop(), service.stop()]);
  });
});

describe('starting', () => {
  it('reports that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const outcome = await startWatched({ PORT: String(port) }).then(
        () => 'started',
        (error: unknown) => (error as Error).message,
      );
      expect(outcome).to.equal(
        `Port ${String(port)} of 127.0.0.1 is in use by another program: stop that, or choose another port with PORT`,
      );
    } finally {
      other.close();
    }
  });

  it('reports that the address is not one of this machine', async () => {
    const outcome = await startWatched({ HOST: '192.0.2.1', AUTH_POLICY: 'open' }).then(
      () => 'started',
      (error: unknown) => (error as Error).message,
    );
    expect(outcome).to.equal('HOST 192.0.2.1 is no address of this machine');
  });
});

describe('a request that is not valid HTTP', () => {
  let service: WatchedService;
  before(async () => {
    service = await startWatched();
  });
  after(() => service.stop());

  async function answerTo(text: string): Promise<string> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.write(text);
    await once(socket, 'close');
    return answer;
  }

  it("is refused in the contract's error format", async () => {
    const answer = await answerTo('nonsense\r\n\r\n');
    expect(answer)
      .to.match(/^HTTP\/1\.1 400 Bad Request\r\n/)
      .and.include('\r\nContent-Type: application/json\r\n');
    expect(answer.split('\r\n\r\n')[1]).to.equal('{"error":"The request is not valid HTTP"}');
    const long = await answerTo(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(long)
      .to.match(/^HTTP\/1\.1 431 /)
      .and.include('{"error":"The request headers are too large"}');
  });
});

async function refused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}
